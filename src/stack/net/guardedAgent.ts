/** The HTTP client of pipes for requests of this process: it connects to checked addresses only, for every connection. */
import { Agent, buildConnector } from 'undici'
import { connectToFirst } from '#node/upstream/egressGuard.ts'
import type { HostCheck } from './reachableHosts.ts'

/** A host that pipes may not reach. The message is for people. */
export class HostRefused extends Error {
  override readonly name = 'HostRefused'
}

const connectMs = 10_000
/** Until the first byte of a response, and between two pieces of it. */
const silenceMs = 30_000

interface AgentOptions {
  /** Whether to speak HTTP/2 with servers that do. */
  allowH2?: boolean
  /** The certificate of the authority that signs for the servers, instead of the public ones. */
  caCertificate?: string | undefined
}

/** Redirects are not followed. */
export function guardedAgent(checkHost: HostCheck, { allowH2 = false, caCertificate }: AgentOptions = {}): Agent {
  const connect = buildConnector({ timeout: connectMs, allowH2, ...(caCertificate && { ca: caCertificate }) })
  return new Agent({
    connect: (options, callback) => {
      addressesOf(options.hostname, checkHost)
        .then((addresses) => connectToFirst(connect, options, addresses))
        .then(
          (socket) => callback(null, socket),
          (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
        )
    },
    allowH2,
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
  })
}

async function addressesOf(hostname: string, checkHost: HostCheck): Promise<readonly string[]> {
  const checked = await checkHost(hostname)
  if (checked.problem !== null) throw new HostRefused(checked.problem)
  if (checked.addresses.length === 0) throw new HostRefused(`${hostname} cannot be resolved`)
  return checked.addresses
}
