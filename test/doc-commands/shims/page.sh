# Runs the page that stands in .page.sh: stops at the first command that fails, and ends the server that the page started.
set -e
trap 'code=$?; [ ! -f .server ] || kill "$(cat .server)" 2>/dev/null; exit "$code"' EXIT
if grep -qE "localhost:$DOCS_PORT|nudgelab( --)? (token|documents|export)" .page.sh; then nudgelab serve; fi
. ./.page.sh
