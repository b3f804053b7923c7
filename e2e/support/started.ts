/** Servers that tests share: each is started when the first test needs it, by `server.ts`. */
import { test } from '@playwright/test'
import { serverPort } from './environment.ts'

/** `stack/0` is the one of the first worker. */
export type SharedServer = `stack/${number}` | 'kafka' | 'kinesis'

/** Milliseconds. */
const startTimeout = 120_000

const known = new Map<SharedServer, Promise<void>>()

/** Starts the server unless it runs. Returns when it does. */
export function started(server: SharedServer): Promise<void> {
  const starting = known.get(server) ?? start(server)
  known.set(server, starting)
  return starting
}

async function start(server: SharedServer): Promise<void> {
  // Its start is no part of the test that happens to need it first.
  const info = test.info()
  info.setTimeout(info.timeout + startTimeout)
  const answer = await fetch(`http://127.0.0.1:${serverPort}/${server}`, { method: 'POST' })
  if (!answer.ok) throw new Error(`${server} did not start: ${await answer.text()}`)
}
