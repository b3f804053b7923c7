/** Messages for failed requests to a deployment: what is wrong, and what to do. */
import { ConnectError } from './egressGuard.ts'
import { failure, type ApiFailure } from './apiFailure.ts'
import { scrub, type UpstreamTarget } from './upstreamTarget.ts'
import type { ResponseLost } from './upstream.ts'

/** The error of a request without a complete response. For writes whose outcome is unknown, see `deployments.ts`. */
export function upstreamError(error: ConnectError | ResponseLost, target: UpstreamTarget): ApiFailure {
  if (error instanceof ConnectError) {
    const code = error.code.endsWith('_ADDRESS') ? 'blocked' : 'unreachable'
    return failure(code, sentence(error, new URL(target.baseUrl)), { detail: scrub(target, error.code) })
  }
  switch (error.kind) {
    case 'timeout':
      return failure('timeout', error.message)
    case 'broken':
      return failure('unreachable', error.message)
    case 'tooLarge':
      return failure('tooLarge', error.message, { status: 502 })
    case 'unreadable':
      return failure('malformedReply', error.message)
  }
}

function sentence(error: ConnectError, { protocol, hostname, host }: URL): string {
  switch (error.code) {
    case 'PRIVATE_ADDRESS':
      return `${error.message}. To connect to it, turn on “Allow private addresses” in the connection.`
    case 'REFUSED_ADDRESS':
      return `${error.message}. The console never connects to link-local, metadata and multicast addresses.`
    case 'ENOTFOUND':
    case 'ENODATA':
      return `The host name ${hostname} cannot be resolved. Check the address of the connection.`
    case 'EAI_AGAIN':
      return `The DNS server did not resolve ${hostname}. Check the DNS settings of the console’s server.`
    case 'ECONNREFUSED':
      return `${host} refused the connection. Check that the server is running and that the port is correct.`
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return `The connection to ${host} timed out. Check the address, and whether a firewall blocks it.`
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `The network has no route to ${host}.`
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return `${host} does not use TLS. Use an http:// address if that is intended.`
    default:
      return protocol === 'https:' && isTls(error.code)
        ? `The certificate of ${host} is not trusted (${error.code}). Use a valid certificate from an authority that the console’s server trusts.`
        : `Failed to connect to ${host} (${error.code}).`
  }
}

function isTls(code: string): boolean {
  return /CERT|SSL|TLS|SIGNATURE|ISSUER|CRL/.test(code)
}
