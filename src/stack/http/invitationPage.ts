/** The frame of the pages on which invited people join. They have no script, and need no key. */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** A token, a name and a password are far smaller. */
export const invitationBodyLimit = 4096

const styles = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f6f7f9, #15171b); color: light-dark(#1c1f24, #e6e8ec); }
main { width: min(26rem, calc(100vw - 4rem)); margin: 1rem; padding: 1.5rem; border: 1px solid light-dark(#d8dce2, #363b44); border-radius: 10px; background: light-dark(#fff, #1d2026); }
h1 { margin: 0 0 .75rem; font-size: 1.25rem; }
p { margin: .5rem 0; overflow-wrap: anywhere; }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600; }
input { box-sizing: border-box; width: 100%; padding: .5rem; font: inherit; border: 1px solid light-dark(#8a919c, #707784); border-radius: 6px; background: inherit; color: inherit; }
button { margin-top: 1rem; padding: .5rem 1rem; font: inherit; font-weight: 600; border: 0; border-radius: 6px; background: light-dark(#1f5fd1, #7aa7ff); color: light-dark(#fff, #10131a); cursor: pointer; }
.hint { font-size: .875rem; color: light-dark(#545c68, #a6adb8); }
.problem { color: light-dark(#a4161a, #ff9a9a); }
code { display: block; padding: .5rem; border-radius: 6px; background: light-dark(#eef0f3, #282c34); user-select: all; overflow-wrap: anywhere; }
`

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Reads the fields of forms. */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: invitationBodyLimit },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
}

/** @param content HTML */
export function sendPage(reply: FastifyReply, status: number, title: string, content: string): FastifyReply {
  return reply
    .code(status)
    .headers({
      'content-security-policy': policy,
      'cache-control': 'no-store',
      // The address has the token of the invitation. Without any referrer, browsers would not name the origin of the form.
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    .type('text/html; charset=utf-8')
    .send(
      `<!DOCTYPE html>\n<html lang="en"><head><meta name="viewport" content="width=device-width"><title>${title}</title><style>${styles}</style></head><body><main><h1>${title}</h1>\n${content}\n</main></body></html>\n`,
    )
}

/** A field of a form or query; empty if it is missing or repeated. */
export function textOf(fields: unknown, name: string): string {
  const value: unknown = Object(fields)[name]
  return typeof value === 'string' ? value : ''
}
