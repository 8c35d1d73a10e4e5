# The manual pages.
# The picture is the README's: view 4 on attempt 7 of the demo at 96x24, by the svg of tests/e2e/vtrun.
EXTRA_DIST += man/screen.svg
dist_man_MANS += man/portside.1 man/portside.conf.5 man/portside-contract.5 man/portside-tutorial.7
