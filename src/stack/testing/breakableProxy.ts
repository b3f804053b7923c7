/** A proxy to a server that can close or hang connections once a text has passed. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'

type Break = 'cut' | 'hang'

export interface BreakableProxy {
  /** The URL of the server through the proxy. */
  url: string
  /** `cut` forwards the text, but no response. */
  breakAt(text: string, how: Break): void
  heal(): void
  close(): void
}

/** @param url of a server on this machine, with its port */
export async function breakableProxy(url: string): Promise<BreakableProxy> {
  const address = new URL(url)
  const port = Number(address.port)
  let broken: { text: string; how: Break } | undefined
  const front = createServer((client) => {
    const back = connect(port, '127.0.0.1')
    let hangs = false
    client.on('data', (chunk) => {
      const how = broken && chunk.includes(broken.text) ? broken.how : undefined
      if (how === 'cut') client.destroy()
      if (how === 'hang') hangs = true
      if (!hangs) back.write(chunk)
    })
    back.on('data', (chunk) => !hangs && client.write(chunk))
    for (const [one, other] of [
      [client, back],
      [back, client],
    ] as const) {
      one.on('error', () => {})
      one.on('close', () => other.end())
    }
  }).listen(0, '127.0.0.1')
  await once(front, 'listening')
  address.port = String((front.address() as AddressInfo).port) // a listening TCP server has one
  return {
    url: address.href,
    breakAt: (text, how) => (broken = { text, how }),
    heal: () => (broken = undefined),
    close: () => front.close(),
  }
}
