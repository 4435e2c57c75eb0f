#!/usr/bin/env python3
"""A TCP proxy that delays what it passes on, as a distant API server does: delay.py PORT SECONDS

PORT is where the server listens, SECONDS how long each way takes. The first line that it prints is its own port; then it
prints a line for each connection. A connection takes a round trip before it is there, as TCP's does. It ends with its
standard input.
"""
import asyncio
import sys

PORT, SECONDS = int(sys.argv[1]), float(sys.argv[2])


async def passes_on(reader, writer):
    """Passes on each piece so much later, in order."""
    loop = asyncio.get_running_loop()
    pieces = asyncio.Queue()

    async def receives():
        while True:
            data = await reader.read(1 << 16)
            await pieces.put((loop.time() + SECONDS, data))
            if not data:
                return

    receiving = asyncio.create_task(receives())
    try:
        while True:
            at, data = await pieces.get()
            await asyncio.sleep(max(0, at - loop.time()))
            if not data:
                break
            writer.write(data)
            await writer.drain()
    except OSError:
        pass  # The other side is gone.
    finally:
        receiving.cancel()
        writer.close()


async def connects(reader, writer):
    print("connection", flush=True)
    await asyncio.sleep(2 * SECONDS)
    server_reader, server_writer = await asyncio.open_connection("127.0.0.1", PORT)
    await asyncio.gather(passes_on(reader, server_writer), passes_on(server_reader, writer), return_exceptions=True)


async def main():
    server = await asyncio.start_server(connects, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


asyncio.run(main())
