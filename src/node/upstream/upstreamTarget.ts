/** A connection with its decrypted key, as a request to the deployment needs it. */
import { createHash } from 'node:crypto'
import type { Variant } from '#contract/wire/kernel.ts'
import type { WireNames } from '#contract/wire/naming.ts'

export interface UpstreamTarget {
  connectionId: string
  /** Changes with every edit of the connection, so that results of the old deployment are not used for the new one. */
  revision: string
  variant: Variant
  /** Origin and path prefix without a trailing slash. */
  baseUrl: string
  organizationId?: string | undefined
  serviceId?: string | undefined
  names: WireNames
  readOnly: boolean
  allowPrivate: boolean
  /** The whole header; absent if no key is stored. */
  authorization?: string | undefined
  /** Every spelling of the secret, to remove it from texts. */
  secrets: string[]
}

/** The header with a variant's key, and the spellings of the secret that may appear elsewhere. */
export function credential(
  variant: Variant,
  keys: { accessKey?: string | undefined; keyId?: string | undefined; keySecret?: string | undefined },
): Pick<UpstreamTarget, 'authorization' | 'secrets'> {
  const secret = variant === 'openSource' ? keys.accessKey : keys.keySecret
  if (!secret) return { secrets: [] }
  const pair = Buffer.from(`${keys.keyId ?? ''}:${secret}`).toString('base64')
  const authorization = variant === 'openSource' ? `Bearer ${secret}` : `Basic ${pair}`
  return {
    authorization,
    secrets: [...new Set([secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64'), pair])],
  }
}

/** Identifies a rate limit. Deployments count requests by key, so connections with the same key share one. */
export function budgetKey(target: UpstreamTarget): string {
  const { origin } = new URL(target.baseUrl)
  return createHash('sha256')
    .update(JSON.stringify([target.variant, origin, target.authorization]))
    .digest('hex')
}

/** Takes every spelling of the target's secret out of a text. */
export function scrub(target: Pick<UpstreamTarget, 'secrets'>, text: string): string {
  return target.secrets.reduce((clean, secret) => clean.replaceAll(secret, '•••'), text)
}
