# The manual pages.
dist_man_MANS += man/portside.1 man/portside.conf.5 man/portside-tutorial.7
