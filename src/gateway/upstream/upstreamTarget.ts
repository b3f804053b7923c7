/** A connection with its key in hand, as far as a request to the deployment needs it. */
import { createHash } from 'node:crypto'
import type { Variant } from '#contract/kernel.ts'
import type { WireNames } from '#contract/naming.ts'

export interface Target {
  connectionId: string
  /** Changes with every edit of the connection: what was asked of the old one is not an answer of the new one. */
  revision: string
  variant: Variant
  /** Origin and path prefix, without a slash at the end. */
  baseUrl: string
  organizationId?: string | undefined
  serviceId?: string | undefined
  names: WireNames
  readOnly: boolean
  allowPrivate: boolean
  /** The whole header; absent when no key is stored. */
  authorization?: string | undefined
  /** Every spelling of the secret, for taking it out of texts. */
  secrets: string[]
}

/** The header that a variant's key travels in (spec 5), and the spellings of the secret that may turn up elsewhere. */
export function credential(
  variant: Variant,
  keys: { accessKey?: string | undefined; keyId?: string | undefined; keySecret?: string | undefined },
): Pick<Target, 'authorization' | 'secrets'> {
  const secret = variant === 'openSource' ? keys.accessKey : keys.keySecret
  if (!secret) return { secrets: [] }
  const pair = Buffer.from(`${keys.keyId ?? ''}:${secret}`).toString('base64')
  const authorization = variant === 'openSource' ? `Bearer ${secret}` : `Basic ${pair}`
  return {
    authorization,
    secrets: [...new Set([secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64'), pair])],
  }
}

/** What requests are counted by: deployments count by key, whichever connection it is used through. */
export function budgetKey(target: Target): string {
  const { origin } = new URL(target.baseUrl)
  return createHash('sha256')
    .update(JSON.stringify([target.variant, origin, target.authorization]))
    .digest('hex')
}

/** Takes every spelling of the target's secret out of a text. */
export function scrub(target: Pick<Target, 'secrets'>, text: string): string {
  return target.secrets.reduce((clean, secret) => clean.replaceAll(secret, '•••'), text)
}
