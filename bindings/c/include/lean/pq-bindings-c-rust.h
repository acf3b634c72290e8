/* The name under which Lantern includes its XMSS bindings: put this folder on the include path, and link libphalanx. */
#include "../phalanx_pq.h"
