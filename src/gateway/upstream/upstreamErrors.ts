/** Puts what went wrong on the way to a deployment into a sentence that says what would be right. */
import { ConnectError } from './egressGuard.ts'
import { failure, type GatewayError } from '../http/errors.ts'
import { scrub, type Target } from './upstreamTarget.ts'
import type { ResponseLost } from './upstream.ts'

/** The ApiError of a request that got no whole answer. For a write whose outcome is open, see `writes.ts`. */
export function upstreamError(error: ConnectError | ResponseLost, target: Target): GatewayError {
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
      return `${error.message}: allow private addresses for this connection if that is meant.`
    case 'REFUSED_ADDRESS':
      return `${error.message}.`
    case 'ENOTFOUND':
    case 'ENODATA':
      return `The name ${hostname} cannot be resolved: check the spelling of the address.`
    case 'EAI_AGAIN':
      return `The name ${hostname} cannot be resolved right now: check this machine’s DNS.`
    case 'ECONNREFUSED':
      return `Nothing listens at ${host}: check that the server runs and that the port is right.`
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return `${host} does not answer: a firewall may drop the packets, or the address is wrong.`
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `There is no way from here to ${host}.`
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return `${host} does not speak TLS: use http:// if that is meant.`
    default:
      return protocol === 'https:' && isTls(error.code)
        ? `The certificate of ${host} is not accepted (${error.code}): it must be valid and issued by an authority that this machine trusts.`
        : `No connection to ${host} could be made (${error.code}).`
  }
}

function isTls(code: string): boolean {
  return /CERT|SSL|TLS|SIGNATURE|ISSUER|CRL/.test(code)
}
