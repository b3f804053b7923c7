/**
 * The page of an invitation to the organization, `/join-organization?token=…`: the invited person becomes a member. The cloud
 * has such a page in its console. The gateway shows this one to people who are not signed in to the console.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invitationOf, joinOrganization } from '../access/organizationJoin.ts'
import type { Identity } from '../store/identity.ts'
import type { Store } from '../store/store.ts'
import { escapeHtml, failureOf } from './httpErrors.ts'
import { acceptForms, invitationBodyLimit as bodyLimit, sendPage, textOf } from './invitationPage.ts'

const path = '/join-organization'
const title = 'Join the organization'

interface PageDependencies {
  store: Store
  identity: Identity
}

/** Registers the page beside the API. */
export async function organizationJoinPage(app: FastifyInstance, dependencies: PageDependencies): Promise<void> {
  acceptForms(app)
  app.get(path, (request, reply) => showForm(dependencies, request, reply))
  app.post(path, { bodyLimit }, (request, reply) => answerForm(dependencies, request, reply))
}

async function showForm(
  { store }: PageDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const token = textOf(request.query, 'token')
  const invitation = await invitationOf(store, token)
  if (invitation) return sendPage(reply, 200, title, form(invitation.email, token))
  return sendPage(
    reply,
    404,
    'This invitation is not valid',
    '<p>It was used, withdrawn or has expired. Ask an administrator of the organization for a new one.</p>',
  )
}

async function answerForm(
  { store, identity }: PageDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const token = textOf(request.body, 'token')
  const name = textOf(request.body, 'name')
  try {
    const member = await joinOrganization(store, identity, token, name)
    return sendPage(
      reply,
      200,
      'Welcome to the organization',
      `<p>${escapeHtml(member.name)}, you are a member now, as <strong>${escapeHtml(member.email)}</strong>.</p>
<p>Members do not sign in to this stack: it has no pages of its own. To use its API, ask an administrator for an API key. To use the console, ask for an account in it.</p>`,
    )
  } catch (error) {
    const { status, message } = failureOf(error, request)
    const invitation = await invitationOf(store, token).catch(() => undefined)
    const problem = `<p class="problem" role="alert">${escapeHtml(message)}</p>`
    return sendPage(reply, status, title, invitation ? problem + form(invitation.email, token, name) : problem)
  }
}

function form(email: string, token: string, name = ''): string {
  return `<p>You were invited as <strong>${escapeHtml(email)}</strong>. As a member you are listed with your roles. Members do not sign in to this stack.</p>
<form method="post" action="${path.slice(1)}">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<label for="name">Your name</label>
<input id="name" name="name" autocomplete="name" maxlength="100" value="${escapeHtml(name)}" required>
<button type="submit">Join</button>
</form>`
}
