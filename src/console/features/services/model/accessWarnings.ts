/** Warnings about an edit of the IP access list. They need a parser of IP addresses, which pages that only show the list do not load. */
import ipaddr from 'ipaddr.js'
import { accessEdits, isAnywhere, type AccessEntry } from './accessList.ts'

/** Whether a source covers an address. False for invalid texts. */
export function contains(source: string, address: string): boolean {
  try {
    const ip = ipaddr.process(address.trim())
    const [range, bits] = source.includes('/') ? ipaddr.parseCIDR(source.trim()) : wholeAddress(source.trim())
    return ip.kind() === range.kind() && ip.match(range, bits)
  } catch {
    return false
  }
}

function wholeAddress(source: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.process(source)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** Warnings about an edited list. `ownAddress` is the user's address as the deployment sees it, '' if unknown. */
export function accessWarnings(
  base: readonly AccessEntry[],
  edited: readonly AccessEntry[],
  ownAddress: string,
): string[] {
  const { removed, upserted } = accessEdits(base, edited)
  const open = upserted.filter(({ source }) => isAnywhere(source)).map(({ source }) => source)
  const covered = (list: readonly AccessEntry[]) => list.some(({ source }) => contains(source, ownAddress))
  const warnings = open.map((source) => `${source} allows access from any IP address.`)
  if (edited.length === 0 && base.length > 0)
    warnings.push('Without entries, nobody can access the service, including you.')
  else if (ownAddress !== '' && covered(base) && !covered(edited)) {
    warnings.push(`Your IP address ${ownAddress} would lose access.`)
  } else if (ownAddress === '' && removed.length > 0) {
    warnings.push(
      'You lock yourself out if your IP address matches only removed entries. Enter your IP address below the list to check.',
    )
  }
  return warnings
}
