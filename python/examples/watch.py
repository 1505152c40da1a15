#!/usr/bin/python3
"""Prints which flows of a wall lose packets or jitter, once a second, and what happens meanwhile.

    watch.py --connect 127.0.0.1:9010 --seconds 60
"""

import argparse
import asyncio

import lambdawall


async def figures(wall: lambdawall.Control) -> None:
    lost: dict[int, float] = {}
    number = 0
    async for stats in wall.stats():
        number += 1
        if number % 10:  # they come ten times a second
            continue
        for flow in lambdawall.figures([stats])["receiver"].rows():
            new = flow["lost"] - lost.get(flow["flow"], flow["lost"])
            lost[flow["flow"]] = flow["lost"]
            print(
                f"flow {flow['flow']} at {flow['node']}: {new:.0f} packets lost, jitter {flow.get('jitter_us', 0):.0f} us",
                flush=True,
            )


async def events(wall: lambdawall.Control) -> None:
    async for event in wall.events():
        print(f"{event['severity']}: {event['text']}", flush=True)


async def main() -> None:
    parser = argparse.ArgumentParser(description="What the flows of a wall lose")
    parser.add_argument("--connect", default="127.0.0.1:9010")
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    async with lambdawall.connect(options.connect) as wall:
        done, _ = await asyncio.wait(
            [asyncio.ensure_future(part(wall)) for part in (figures, events)], timeout=options.seconds
        )
        for task in done:
            task.result()


if __name__ == "__main__":
    asyncio.run(main())
