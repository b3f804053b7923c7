/** A DNS server on this machine that gives another address each time it is asked for a name: how names are rebound. */
import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'

const typeA = 1

export interface RebindingDns {
  /** Names that were asked for, in order. */
  readonly questions: readonly string[]
  /** Asks this server for the IPv4 addresses of a name. */
  resolve(name: string): Promise<string[]>
  close(): void
}

/** @param answers the addresses of each answer in turn, the last of which holds from then on. They expire at once. */
export async function startRebindingDns(answers: readonly (readonly string[])[]): Promise<RebindingDns> {
  const questions: string[] = []
  const server = createSocket('udp4', (query, { port, address }) => {
    const { name, type, end } = questionOf(query)
    if (type === typeA) questions.push(name)
    const addresses = type === typeA ? (answers[Math.min(questions.length, answers.length) - 1] ?? []) : []
    server.send(reply(query, end, addresses), port, address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  const resolver = new Resolver({ timeout: 2000, tries: 1 })
  resolver.setServers([`127.0.0.1:${server.address().port}`])
  return { questions, resolve: (name) => resolver.resolve4(name), close: () => void server.close() }
}

/** The only question of a message, which begins after its header of 12 bytes. */
function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function reply(query: Buffer, end: number, addresses: readonly string[]): Buffer {
  const head = Buffer.from(query.subarray(0, end))
  head.writeUInt16BE(0x8180, 2) // a response without an error, of a server that recurses
  head.writeUInt16BE(addresses.length, 6)
  head.writeUInt16BE(0, 8)
  head.writeUInt16BE(0, 10)
  // The name of the question, type A, class IN, expires at once, four bytes.
  const record = [0xc0, 0x0c, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4]
  return Buffer.concat([
    head,
    ...addresses.map((address) => Buffer.from([...record, ...address.split('.').map(Number)])),
  ])
}
