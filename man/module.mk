# The manual pages.
# The picture is the README's.
EXTRA_DIST += man/screen.svg
dist_man_MANS += man/portside.1 man/portside.conf.5 man/portside-tutorial.7
