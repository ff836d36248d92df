# shellcheck shell=sh
# Sourced by the scripts beside it: a temporary folder that goes away at the end, and tools of a stated version.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

skip() {
  echo "skipped: $1"
  exit 0
}

# needs COMMAND VERSION: `COMMAND --version` has to say VERSION on its first line
needs() {
  command -v "$1" >/dev/null || skip "there is no $1"
  first=$("$1" --version | head -1)
  case $first in
  *"$2"*) echo "version: $first" ;;
  *) skip "this is about $1 $2, and here is: $first" ;;
  esac
}

# python_with PACKAGE==VERSION...: a virtual environment, whose interpreter is $python
python_with() {
  command -v python3 >/dev/null || skip 'there is no python3'
  python3 -m venv venv || skip 'python3 makes no virtual environments here'
  venv/bin/pip -q --disable-pip-version-check install "$@" >pip.txt 2>&1 || skip "pip does not install $*: $(tail -1 pip.txt)"
  python=$folder/venv/bin/python
  echo "version: Python $("$python" -c 'import platform; print(platform.python_version())'), $*"
}

# verdict SEEN: the output has to be what it was, else the behaviour has changed
verdict() {
  echo 'seen:'
  sed 's/^/  /' seen.txt
  echo "$1" | diff - seen.txt >/dev/null || {
    echo 'this has changed; it was:'
    echo "$1" | sed 's/^/  /'
    exit 1
  }
  echo 'as it was'
}
