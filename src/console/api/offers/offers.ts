/** The resources that each deployment offers: those of its variant in the contract, corrected by its responses. */
import { Store, useStore } from '@tanstack/react-store'
import type { ResourceName } from '#contract/index.ts'
import type { Endpoint, Variant } from '#contract/wire/kernel.ts'
import { stagingPath } from '#contract/console/stages.ts'
import { formatResourceName, productResources, type NamingProfile } from '#contract/wire/naming.ts'

/** `origin`: the API lacks it, but another endpoint of the deployment, named in this sentence, offers it. */
export type Answer = 'offered' | 'notOffered' | { origin: string }

/** By connection and subject: see `recordOffer`. */
export const answers = new Store<Record<string, Answer>>({})

/** @param subject of `subjectOf` */
export const answerKey = (connectionId: string, subject: string) => `${connectionId}/${subject}`

/** An operation beyond the specification says nothing about its resource, so item reads and changes are recorded separately. */
export type Operation = Pick<Endpoint, 'resource' | 'unspecified' | 'feature' | 'mutates'>
export const subjectOf = ({ resource, unspecified, feature, mutates }: Operation) =>
  unspecified ? `${resource} ${feature ?? (mutates ? 'changes' : 'items')}` : resource

/** Remembers the responses of a deployment until the page is closed; `useFeatureOffer.ts` keeps some for longer. */
export function recordOffer(connectionId: string, operation: Operation, answer: Answer): void {
  const at = answerKey(connectionId, subjectOf(operation))
  if (answers.state[at] !== answer) answers.setState((all) => ({ ...all, [at]: answer }))
}

/** Forgets what the deployment of a connection offers: it is another one now, or is tested again. */
export function forgetOffers(connectionId: string): void {
  answers.setState((all) =>
    Object.fromEntries(Object.entries(all).filter(([at]) => !at.startsWith(answerKey(connectionId, '')))),
  )
}

/** Remembers a response that does not come from the API. @param origin a sentence of the gateway */
export function recordOrigin(connectionId: string, operation: Operation, origin: string): void {
  const at = answerKey(connectionId, subjectOf(operation))
  if (originOf(answers.state[at]) !== origin) recordOffer(connectionId, operation, { origin })
}

/** Where the last response of an operation comes from, as a sentence; undefined if from the API. */
export function useOrigin({ id }: { id: string }, operation: Operation): string | undefined {
  return useStore(answers, (all) => originOf(all[answerKey(id, subjectOf(operation))]))
}

export const originOf = (answer: Answer | undefined): string | undefined =>
  typeof answer === 'object' ? answer.origin : undefined

/** The parts of a connection that decide what its deployment offers. */
interface OfferSubject {
  id: string
  variant: Variant
  naming: NamingProfile
  baseUrl?: string
}

/** Resources that need telemetry. The staging environment of the sample has none: it is not asked once for each tile. */
const ofTelemetry: readonly ResourceName[] = ['charts', 'search']

/** Whether a resource is expected of a deployment: by its variant, or by its field names. */
function expects(
  { variant, naming }: Omit<OfferSubject, 'id'>,
  resource: ResourceName,
  variants: readonly Variant[],
): boolean {
  return variants.includes(variant) || (naming !== 'neutral' && productResources.includes(resource))
}

const variantLabels: Record<Variant, string> = { openSource: 'open-source', managed: 'managed' }

interface Offer {
  offered: boolean
  /** The reason if it is not offered; undefined if it is offered. */
  reason?: string
}

/**
 * Whether the deployment of a connection offers a resource: according to its responses, or else if its variant has the
 * resource in the specification (`endpoint.variants`; passed in, so that the frame need not load the contract), or if
 * its field names are those of deployments that have it.
 */
export function useOffer(
  connection: OfferSubject | undefined,
  resource: ResourceName,
  variants: readonly Variant[],
): Offer {
  const answer = useStore(answers, (all) => (connection ? all[answerKey(connection.id, resource)] : undefined))
  return offerOf(connection, resource, variants, answer)
}

/** Whether a deployment offers several resources: a function from a resource to its offer. */
export function useOffers(
  connection: OfferSubject | undefined,
): (resource: ResourceName, variants: readonly Variant[]) => Offer {
  const all = useStore(answers)
  return (resource, variants) =>
    offerOf(connection, resource, variants, connection && all[answerKey(connection.id, resource)])
}

/** Whether a deployment offers a resource, outside of rendering, from the responses so far. */
export function isOffered(connection: OfferSubject, resource: ResourceName, variants: readonly Variant[]): boolean {
  return offerOf(connection, resource, variants, answers.state[answerKey(connection.id, resource)]).offered
}

function offerOf(
  connection: Omit<OfferSubject, 'id'> | undefined,
  resource: ResourceName,
  variants: readonly Variant[],
  answer: Answer | undefined,
): Offer {
  if (!connection || answer === 'offered' || originOf(answer)) return { offered: true }
  if (answer === 'notOffered' || (ofTelemetry.includes(resource) && connection.baseUrl?.endsWith(stagingPath)))
    return { offered: false, reason: `This deployment’s API does not offer ${formatResourceName(resource)}.` }
  if (expects(connection, resource, variants)) return { offered: true }
  return {
    offered: false,
    reason: `The ${variantLabels[connection.variant]} API does not offer ${formatResourceName(resource)}.`,
  }
}

/** Why a resource cannot be changed, from the responses so far; undefined without a known reason. */
export function whyUnchangeable(
  connection: OfferSubject,
  resource: ResourceName,
  variants: readonly Variant[],
): string | undefined {
  const { offered, reason } = changesOffer(
    connection,
    resource,
    variants,
    knownForChanges(answers.state, connection, resource),
  )
  if (offered) return undefined
  return reason ?? `The ${variantLabels[connection.variant]} API cannot change ${formatResourceName(resource)}.`
}

/**
 * Whether a resource that the specification only lists can also be changed here. Responses to changes count first, then
 * the read of one item, which deployments have where they have changes; without either, `variants` decide.
 */
export function useChangesOffer(connection: OfferSubject, resource: ResourceName, variants: readonly Variant[]): Offer {
  const known = useStore(answers, (all) => knownForChanges(all, connection, resource))
  const offer = changesOffer(connection, resource, variants, known)
  if (offer.offered || offer.reason) return offer
  return { offered: false, reason: `Checking whether this deployment can change ${formatResourceName(resource)}…` }
}

function knownForChanges(all: Record<string, Answer>, { id }: { id: string }, resource: ResourceName) {
  return all[answerKey(id, `${resource} changes`)] ?? all[answerKey(id, `${resource} items`)]
}

/** Unknown yet: neither offered nor a reason. */
function changesOffer(
  deployment: Omit<OfferSubject, 'id'>,
  resource: ResourceName,
  variants: readonly Variant[],
  known: Answer | undefined,
): Offer {
  if (known === 'offered') return { offered: true }
  const reason = `List only: this deployment’s API cannot change ${formatResourceName(resource)}.`
  if (known === 'notOffered') return { offered: false, reason }
  return { offered: expects(deployment, resource, variants) }
}
