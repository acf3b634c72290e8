/* A panic inside comes back as a status, and the program goes on. Needs a library built with the feature panic-test. */
#include "check.h"

phalanx_status phalanx_panic_test(void);

int main(void) {
    int i;
    for (i = 0; i < 3; i++) {
        CHECK_STATUS(phalanx_panic_test(), PHALANX_ERROR_INTERNAL);
    }
    CHECK_OK(phalanx_backend_available("portable"));
    return finish("panic", 4);
}
