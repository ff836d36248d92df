# Recipes in Python beside their peers: sourced by run.sh.
features+=' matplotlib tqdm bornagain sasmodels'
parts+=' recipes'

part_recipes() {
  local m
  python_package
  for m in scipy pyscf matplotlib tqdm bornagain sasmodels; do "$python" -c "import $m" 2>/dev/null || echo "without $m"; done
  CONVK_REQUIRE=$(among scipy pyscf matplotlib tqdm bornagain sasmodels) python_tests tests/test_recipes.py
}
