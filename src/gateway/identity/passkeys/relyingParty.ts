/** The name by which passkeys of this console go (RP ID): browsers bind them to it. */
import { isIP } from 'node:net'
import { plainHost } from '#node/net/addresses.ts'

export interface RelyingParty {
  id: string
  origin: string
}

interface ConsoleAddress {
  /** The host of the request, which the gateway serves, as the Host header spells it. */
  host: string
  publicUrl?: string | undefined
  /** Whether the console listens on this machine's own addresses, so that localhost leads to it. */
  hasLocalhost: boolean
}

/** @returns why passkeys cannot be used at this address, as a text */
export function relyingPartyAt({ host, publicUrl, hasLocalhost }: ConsoleAddress): RelyingParty | string {
  const known = publicUrl === undefined ? undefined : new URL(publicUrl)
  const isPublic = known?.host === host.toLowerCase()
  const { protocol, hostname, origin, port } = isPublic ? known : new URL(`http://${host}`)
  const isAddress = isIP(plainHost(hostname)) !== 0
  if (hostname === 'localhost' || (protocol === 'https:' && !isAddress)) return { id: hostname, origin }
  if (known && !isPublic && relyingPartyIn(known)) return `Passkeys need https. Open the console as ${known.origin}.`
  if (isLoopback(hostname) && hasLocalhost) {
    const local = `http://localhost${port === '' ? '' : `:${port}`}`
    return `Passkeys need a host name instead of an IP address. Open the console as ${local}.`
  }
  if (protocol === 'https:') return 'Passkeys need a host name instead of an IP address.'
  return 'Passkeys need https. An administrator can set PUBLIC_URL to an https address.'
}

function relyingPartyIn({ protocol, hostname }: URL): boolean {
  return hostname === 'localhost' || (protocol === 'https:' && isIP(plainHost(hostname)) === 0)
}

function isLoopback(hostname: string): boolean {
  return hostname.startsWith('127.') || hostname === '[::1]'
}
