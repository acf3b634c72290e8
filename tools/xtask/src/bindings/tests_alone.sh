#!/bin/sh
# RUSTC_WORKSPACE_WRAPPER, where only the tests inside crates are run. XMSS and Ligerito depend on themselves for their tests'
# features, so that Cargo also builds them as others would see them; nothing uses that copy, and it is not optimised here.
tests=no itself=no
for argument in "$@"; do
    case "$argument" in --test) tests=yes ;; phalanx_xmss | phalanx_ligerito) itself=yes ;; esac
done
if [ "$tests" = no ] && [ "$itself" = yes ]; then set -- "$@" -C opt-level=0; fi
exec "$@"
