/**
 * The page of an invitation, `/join-team?token=…`: the invited person chooses a password, and gets a personal key. It has
 * no script, and needs no key. The gateway shows it to people who are not signed in to the console.
 */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../refusal.ts'
import type { Store } from '../store/store.ts'
import { invitationWithToken, join } from '../team/invitations.ts'
import { passwordRule } from '../team/passwords.ts'
import { escapeHtml, failureOf } from './httpErrors.ts'

const path = '/join-team'
/** A token and a password are far smaller. */
const bodyLimit = 4096

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

/** Registers the page beside the API. */
export async function joinPage(app: FastifyInstance, { store }: { store: Store }): Promise<void> {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  app.get(path, (request, reply) => showForm(store, request, reply))
  app.post(path, { bodyLimit }, (request, reply) => answerForm(store, request, reply))
}

async function showForm(store: Store, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const token = textOf(request.query, 'token')
  const invitation = await invitationWithToken(store, token)
  if (invitation) return send(reply, 200, 'Join the team', form(invitation.email, token))
  return send(
    reply,
    404,
    'This invitation is not valid',
    '<p>It was used, revoked or has expired. Ask a member of the team for a new one.</p>',
  )
}

async function answerForm(store: Store, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const token = textOf(request.body, 'token')
  const password = textOf(request.body, 'password')
  try {
    if (password !== textOf(request.body, 'repeated')) throw new Refusal(400, 'The two passwords are not the same.')
    const { email, accessKey } = await join(store, token, password)
    return send(
      reply,
      200,
      'Welcome to the team',
      `<p>The account of ${escapeHtml(email)} was created. This is its personal API key:</p><code>${escapeHtml(accessKey)}</code>
<p>Copy it now and keep it secret. In a console, enter it in the connection to this deployment: from then on, “API keys” shows and rotates it.</p>`,
    )
  } catch (error) {
    const { status, message } = failureOf(error, request)
    const invitation = await invitationWithToken(store, token).catch(() => undefined)
    const problem = `<p class="problem" role="alert">${escapeHtml(message)}</p>`
    return send(reply, status, 'Join the team', invitation ? problem + form(invitation.email, token) : problem)
  }
}

function form(email: string, token: string): string {
  return `<p>You were invited as <strong>${escapeHtml(email)}</strong>. Choose a password for your account.</p>
<form method="post" action="${path}">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<input type="text" name="username" value="${escapeHtml(email)}" autocomplete="username" hidden>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="12" maxlength="72" required aria-describedby="rule">
<p class="hint" id="rule">${passwordRule}.</p>
<label for="repeated">Repeat the password</label>
<input id="repeated" name="repeated" type="password" autocomplete="new-password" required>
<button type="submit">Create account</button>
</form>`
}

function send(reply: FastifyReply, status: number, title: string, content: string): FastifyReply {
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
function textOf(fields: unknown, name: string): string {
  const value: unknown = Object(fields)[name]
  return typeof value === 'string' ? value : ''
}
