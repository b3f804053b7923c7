/** The parts of a webhook and of its receiver's answer that may be stored and shown: without what may be secret. */
import type { WebhookDocument } from '../documents/webhookRows.ts'

const maxShown = 500
const hidden = '****'

/** The URL of a webhook without what may be a credential. */
export function shownUrl(url: string): string {
  return URL.canParse(url) ? `${new URL(url).origin}/${hidden}` : hidden
}

/** The beginning of an answer in one line. Some receivers repeat the request, so the webhook's secrets are removed. */
export function shownAnswer(
  text: string,
  { url, headers = {}, queryParams = {}, body = '' }: Pick<WebhookDocument, 'url' | 'headers' | 'queryParams' | 'body'>,
): string {
  const secrets = [
    ...urlSecrets(url),
    ...Object.values(headers).flatMap((value) => [value, ...value.split(/\s+/)]),
    ...Object.values(queryParams),
    // Keys that are written into a body template.
    ...(body.match(/[\w-]{16,}/g) ?? []),
  ]
    .flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      new URLSearchParams([['', secret]]).toString().slice(1),
      JSON.stringify(secret).slice(1, -1),
    ])
    .filter((secret) => secret.length > 3)
    .toSorted((a, b) => b.length - a.length)
  const clean = secrets.reduce((rest, secret) => rest.replaceAll(secret, hidden), text)
  const line = clean.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
  return line.length > maxShown ? `${line.slice(0, maxShown - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : line
}

/** The path and query of a URL, whole and in parts. */
function urlSecrets(url: string): string[] {
  if (!URL.canParse(url)) return []
  const { pathname, search, searchParams } = new URL(url)
  const segments = pathname.split('/').filter((segment) => segment.length > 7)
  return [pathname + search, ...segments, ...searchParams.values()].filter((part) => part !== '/')
}
