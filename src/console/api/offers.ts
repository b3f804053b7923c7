/** What each deployment was found to offer. The contract says what a variant offers; asking tells what this one does. */
import { Store, useStore } from '@tanstack/react-store'
import type { ResourceName } from '#contract/index.ts'
import type { Variant } from '#contract/kernel.ts'

type Answer = 'offered' | 'notOffered'

const answers = new Store<Record<string, Answer>>({})
const key = (connectionId: string, resource: string) => `${connectionId}/${resource}`

/** Remembers what a deployment answered, until the page is closed. */
export function noteOffer(connectionId: string, resource: string, answer: Answer): void {
  const at = key(connectionId, resource)
  if (answers.state[at] !== answer) answers.setState((all) => ({ ...all, [at]: answer }))
}

const variantWords: Record<Variant, string> = { openSource: 'open-source', managed: 'managed' }

export interface Offer {
  offered: boolean
  /** Why not, in a sentence; undefined where it is offered. */
  reason?: string
}

/**
 * Whether a connection's deployment offers a resource: what it answered, or else whether its variant is one of those
 * in whose specification the resource is (`endpoint.variants`; told, so that the frame need not load the contract).
 */
export function useOffer(
  connection: { id: string; variant: Variant } | undefined,
  resource: ResourceName,
  variants: readonly Variant[],
): Offer {
  const answer = useStore(answers, (all) => (connection ? all[key(connection.id, resource)] : undefined))
  if (!connection || answer === 'offered') return { offered: true }
  if (answer === 'notOffered') return { offered: false, reason: `This deployment has no ${resource} in its API.` }
  if (variants.includes(connection.variant)) return { offered: true }
  return { offered: false, reason: `The ${variantWords[connection.variant]} API does not offer ${resource}.` }
}
