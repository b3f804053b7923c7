/** Security headers. They are set on the raw response before anything else, so that every error has them too. */
import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'

/** The policy of every response that is not a page: nothing is allowed. */
const lockedPolicy = policy({ 'default-src': "'none'", 'frame-ancestors': "'none'", sandbox: '' })

const always = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cache-control': 'no-store',
  'content-security-policy': lockedPolicy,
} as const

export function setSecurityHeaders(response: ServerResponse, https: boolean): void {
  for (const [name, value] of Object.entries(always)) response.setHeader(name, value)
  if (https) response.setHeader('strict-transport-security', 'max-age=31536000')
}

/**
 * The policy of a page: the console's own files, the inline scripts of the build, and the style tags with this response's
 * nonce, into which emotion writes its rules. No other inline script, no eval, no other host, no frame, no form.
 * @param scriptHashes as `inlineScriptHashes` gives them
 */
export function pagePolicy(nonce: string, scriptHashes: readonly string[]): string {
  return policy({
    'default-src': "'none'",
    'script-src': ["'self'", ...scriptHashes.map((hash) => `'${hash}'`)].join(' '),
    'style-src': `'self' 'nonce-${nonce}'`,
    'img-src': "'self' data:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'manifest-src': "'self'",
    'worker-src': "'self'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  })
}

/** Hashes of the inline scripts of a built page, such as `sha256-…`: they are the same in every response. */
export function inlineScriptHashes(html: string): string[] {
  return [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script = '']) => `sha256-${createHash('sha256').update(script).digest('base64')}`,
  )
}

/** The development server writes inline scripts and opens a socket. A built page never has this policy. */
export const developmentPolicy = policy({
  'default-src': "'self'",
  'script-src': "'self' 'unsafe-inline'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data:",
  'connect-src': "'self' ws:",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
})

function policy(directives: Record<string, string>): string {
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`.trim())
    .join('; ')
}
