# Opens COUNT connections to 127.0.0.1:PORT from many addresses of loopback and feeds each a header that never ends, a
# byte at a time, for SECONDS, or until all are closed if that takes longer. Prints how many were open at the end, how many were closed, and says "all open" before.
import resource, selectors, socket, sys, time

port, count, seconds = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
wanted = count + 100
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
if hard != resource.RLIM_INFINITY and hard < wanted:
    sys.exit(f"this machine gives {hard} descriptors, {wanted} are wanted")
resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))

selector = selectors.DefaultSelector()
refused = 0
for number in range(count):
    # Ten addresses: what is refused of one is another's to try.
    place = number % 10
    source = f"127.1.{place // 250}.{place % 250 + 1}"
    try:
        one = socket.create_connection(("127.0.0.1", port), timeout=60, source_address=(source, 0))
        one.setblocking(False)
        one.send(b"POST /api/v1/xmss/sign HTTP/1.1\r\nHost: x\r\nX: ")
        selector.register(one, selectors.EVENT_READ)
    except OSError:
        refused += 1
print("all open", flush=True)
begun = time.monotonic()
closed = refused
while time.monotonic() < begun + seconds or (selector.get_map() and time.monotonic() < begun + 120):
    for key, _ in selector.select(timeout=0.05):
        try:
            gone = key.fileobj.recv(4096) == b""
        except OSError:
            gone = True
        if gone:
            selector.unregister(key.fileobj)
            key.fileobj.close()
            closed += 1
    for key in list(selector.get_map().values()):
        try:
            key.fileobj.send(b"x")
        except OSError:
            pass
    time.sleep(0.1)
print(len(selector.get_map()), closed, flush=True)
