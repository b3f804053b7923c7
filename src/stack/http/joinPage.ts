/**
 * The page of an invitation, `/join-team?token=…`: the invited person chooses a password, and gets a personal key. The gateway
 * shows it to people who are not signed in to the console.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../refusal.ts'
import type { Store } from '../store/store.ts'
import { invitationWithToken, join } from '../team/invitations.ts'
import { passwordRule } from '../team/passwords.ts'
import { escapeHtml, failureOf } from './httpErrors.ts'
import { acceptForms, invitationBodyLimit as bodyLimit, sendPage, textOf } from './invitationPage.ts'

const path = '/join-team'

/** Registers the page beside the API. */
export async function joinPage(app: FastifyInstance, { store }: { store: Store }): Promise<void> {
  acceptForms(app)
  app.get(path, (request, reply) => showForm(store, request, reply))
  app.post(path, { bodyLimit }, (request, reply) => answerForm(store, request, reply))
}

async function showForm(store: Store, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const token = textOf(request.query, 'token')
  const invitation = await invitationWithToken(store, token)
  if (invitation) return sendPage(reply, 200, 'Join the team', form(invitation.email, token))
  return sendPage(
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
    return sendPage(
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
    return sendPage(reply, status, 'Join the team', invitation ? problem + form(invitation.email, token) : problem)
  }
}

function form(email: string, token: string): string {
  return `<p>You were invited as <strong>${escapeHtml(email)}</strong>. Choose a password for your account.</p>
<form method="post" action="${path.slice(1)}">
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
