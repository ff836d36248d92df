# Recipes in Python beside their peers: sourced by run.sh.
features+=' matplotlib tqdm bornagain sasmodels devito gpaw abtem skimage freud pyausaxs debyecalculator'

part_recipes() {
  local modules='scipy pyscf matplotlib tqdm bornagain sasmodels devito gpaw abtem skimage freud pyausaxs debyecalculator' m
  python_package
  for m in $modules; do "$python" -c "import $m" 2>/dev/null || echo "without $m"; done
  # shellcheck disable=SC2086
  CONVK_REQUIRE=$(among $modules) python_tests tests/test_recipes.py
}
