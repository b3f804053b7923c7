/** The API of the approval settings of a connection, and of its break-glass. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  approvalSettingsChange,
  breakGlassStart,
  type ApprovalSettings,
  type NotificationTest,
} from '#contract/console/approvals.ts'
import type { ProposingTool } from '#contract/console/agents.ts'
import { approvalPaths } from '#contract/console/changeRequestPaths.ts'
import type { Connection } from '#contract/console/connections.ts'
import { roleNeeded } from '#contract/console/consoleRoles.ts'
import { pathId, type HeldChange } from '#contract/wire/kernel.ts'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import type { Statements } from '#node/database/statements.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { containsMask, maskedAddress } from '#node/upstream/masks.ts'
import type { AuditLog } from '../audit/auditLog.ts'
import type { Connections } from '../connections/connections.ts'
import { parsed } from '../http/requests.ts'
import type { ApprovalStore, BreakGlass, Receiver, StoredApproval } from './approvalStore.ts'
import { changeAuthorOf } from './changeAuthor.ts'
import { breakGlassApproval, type ChangeAuthor, type TwoPersonApproval } from './twoPersonApproval.ts'
import { sentForApproval } from './approvalQueue.ts'
import type { NoticeEvent } from './noticeBody.ts'
import type { Notices } from './notices.ts'

export interface ApprovalRouteDependencies {
  store: ApprovalStore
  twoPersonApproval: TwoPersonApproval
  notices: Notices
  connections: Connections
  audit: AuditLog
  consoleUrl: () => string
  /** Asks a second administrator to switch two-person approval off. */
  requestApprovalOff: (connectionId: string, author: ChangeAuthor) => Promise<HeldChange>
}

const params = z.object({ connectionId: pathId })
/** The number of approvers that a connection needs, so that there is always one besides the requester. */
const minApprovers = 2

export function registerApprovals(app: FastifyInstance, parts: ApprovalRouteDependencies): void {
  const url = (path: string) => path.replace('{connectionId}', ':connectionId')
  const connectionOf = (request: FastifyRequest): Connection => {
    const { connectionId } = parsed(params, request.params, 'The connection ID')
    const found = parts.connections.list().find(({ id }) => id === connectionId)
    if (!found) throw failure('notFound', 'This connection does not exist. It may have been deleted.')
    return found
  }
  app.get(url(approvalPaths.approvalSettings), (request) => settingsOf(parts, connectionOf(request)))
  app.put(url(approvalPaths.approvalSettings), (request) => setSettings(parts, connectionOf(request), request))
  app.post(url(approvalPaths.approvalTest), (request) => sendTestNotification(parts, connectionOf(request)))
  app.post(url(approvalPaths.breakGlass), (request) => startBreakGlass(parts, connectionOf(request), request))
  app.delete(url(approvalPaths.breakGlass), (request) => endBreakGlass(parts, connectionOf(request), request))
}

async function settingsOf(
  { store, twoPersonApproval, notices }: ApprovalRouteDependencies,
  { id, stage }: Connection,
): Promise<ApprovalSettings> {
  const { twoPersonApproval: isOn, receiver, agentTools } = await store.settings(id)
  const approvers = (await twoPersonApproval.peopleWho(id, 'write')).map(({ name }) => name)
  const obstacle = obstacleOf(approvers, stage)
  return {
    twoPersonApproval: isOn,
    ...(receiver && { notificationUrl: maskedAddress(receiver.url) }),
    allowPrivateNotification: receiver?.allowPrivate ?? false,
    agentTools: [...agentTools],
    approvers,
    isProposed: !isOn && stage === 'production' && obstacle === undefined,
    ...(obstacle !== undefined && { obstacle }),
    deliveries: await notices.deliveries(id),
  }
}

function obstacleOf(approvers: readonly string[], stage: Connection['stage']): string | undefined {
  if (approvers.length >= minApprovers) return undefined
  const role = roleNeeded('write', stage)
  const shortage = approvers.length === 0 ? 'nobody has one' : `only ${approvers[0]} has one`
  return `Two-person approval needs two people with an account and the role ${role} on this connection: ${shortage}. Invite people first.`
}

async function setSettings(parts: ApprovalRouteDependencies, connection: Connection, request: FastifyRequest) {
  const { store, twoPersonApproval, notices, requestApprovalOff } = parts
  const change = parsed(approvalSettingsChange, request.body, 'The settings')
  const author = changeAuthorOf(request)
  const { id } = connection
  const old = await store.settings(id)
  const agentTools = agentToolsOf(change, old, connection)
  const isAboutAgents =
    change.twoPersonApproval === old.twoPersonApproval && agentTools.join() !== old.agentTools.join()
  request.auditAbout = {
    connectionId: id,
    subject: isAboutAgents
      ? `tools of agents without approval: ${agentTools.join(', ') || 'none'}`
      : `two-person approval ${change.twoPersonApproval ? 'on' : 'off'}`,
  }
  const receiver = receiverOf(change, old.receiver)
  refusePrivateReceiver(old.receiver, receiver, request.access?.administers === true)
  if (change.twoPersonApproval && !old.twoPersonApproval) {
    const { obstacle } = await settingsOf(parts, connection)
    if (obstacle !== undefined)
      throw failure('invalid', obstacle, { fields: [{ path: 'twoPersonApproval', message: obstacle }] })
  }
  const breaksGlass = old.twoPersonApproval && (await twoPersonApproval.breaksGlass(id, author))
  // Switching it off needs approval as well, or one person could do without any.
  if (old.twoPersonApproval && !change.twoPersonApproval && !breaksGlass)
    throw sentForApproval(await requestApprovalOff(id, author))
  if (breaksGlass) request.auditMark = breakGlassApproval
  const isChanged = old.twoPersonApproval !== change.twoPersonApproval || old.receiver?.url !== receiver?.url
  // The former receiver is notified too, so that nobody can silence it unnoticed.
  const receivers = new Map([old.receiver, receiver].flatMap((told) => (told ? [[told.url, told] as const] : [])))
  await store.enterSettings(
    id,
    { twoPersonApproval: change.twoPersonApproval, receiver, agentTools },
    async (transaction) => {
      if (!isChanged) return
      for (const to of receivers.values())
        await addNotice(parts, transaction, connection, {
          receiver: to,
          event: 'twoPersonApproval.changed',
          actor: author.actor,
        })
    },
  )
  notices.sendSoon()
  return settingsOf(parts, connection)
}

/** @throws invalid for tools of a connection whose changes a person must always approve */
function agentToolsOf(
  { twoPersonApproval, agentTools }: z.output<typeof approvalSettingsChange>,
  old: StoredApproval,
  { stage }: Connection,
): readonly ProposingTool[] {
  const isApplied = !twoPersonApproval && stage !== 'production'
  if (isApplied) return agentTools ?? old.agentTools
  if (!agentTools?.length) return []
  const message = twoPersonApproval
    ? 'With two-person approval, a second person approves what agents change. Turn it off first, or allow agents no tool.'
    : 'On production, a person always approves what agents change.'
  throw failure('invalid', message, { fields: [{ path: 'agentTools', message }] })
}

function receiverOf(
  { notificationUrl, allowPrivateNotification }: z.output<typeof approvalSettingsChange>,
  old: Receiver | null,
): Receiver | null {
  if (notificationUrl === null) return null
  if (containsMask(notificationUrl)) {
    const message = 'This address is masked. Leave it out to keep it, or enter all of it.'
    throw failure('invalid', message, { fields: [{ path: 'notificationUrl', message }] })
  }
  const url = notificationUrl ?? old?.url
  return url === undefined ? null : { url, allowPrivate: allowPrivateNotification }
}

/**
 * The console itself sends notifications: to private addresses only where administrators of the console want them.
 * @throws forbidden if somebody else allows private addresses, or chooses which of them
 */
function refusePrivateReceiver(old: Receiver | null, receiver: Receiver | null, administers: boolean): void {
  if (administers || !receiver?.allowPrivate || (old?.allowPrivate && old.url === receiver.url)) return
  const message = old?.allowPrivate
    ? 'Notifications may go to private addresses, so only administrators of this console can change the URL.'
    : 'Only administrators of this console can allow private addresses.'
  const path = old?.allowPrivate ? 'notificationUrl' : 'allowPrivateNotification'
  throw failure('forbidden', message, { fields: [{ path, message }] })
}

async function sendTestNotification(
  { store, notices, consoleUrl }: ApprovalRouteDependencies,
  connection: Connection,
): Promise<NotificationTest> {
  const { receiver } = await store.settings(connection.id)
  if (!receiver) throw failure('invalid', 'No URL is stored. Save one first.')
  return notices.test(receiver, {
    event: 'test',
    at: currentIsoTime(),
    connection: placeOf(connection),
    link: `${consoleUrl()}/change-requests`,
  })
}

async function startBreakGlass(parts: ApprovalRouteDependencies, connection: Connection, request: FastifyRequest) {
  const { store } = parts
  const { reason, confirmedName } = parsed(breakGlassStart, request.body, 'The break-glass')
  const { id, name } = connection
  const { twoPersonApproval, receiver } = await store.settings(id)
  if (!twoPersonApproval) throw failure('invalid', 'Changes of this connection need no approval.')
  if (confirmedName !== name) {
    const message = `Enter the name of the connection, ${name}, to confirm.`
    throw failure('invalid', message, { fields: [{ path: 'confirmedName', message }] })
  }
  const author = changeAuthorOf(request)
  const { personId, actor } = author
  request.auditMark = breakGlassApproval
  request.auditAbout = { connectionId: id, subject: reason.slice(0, 300) }
  await parts.twoPersonApproval.refuseBreakGlassWithoutAccount(author)
  const started = await store.startBreakGlass({ connectionId: id, personId, actor, reason }, (transaction) =>
    addNotice(parts, transaction, connection, { receiver, event: 'breakGlass.started', actor, reason }),
  )
  if (!started) {
    const { actor: other = 'somebody else' } = (await parts.twoPersonApproval.activeBreakGlass(id)) ?? {}
    throw failure('conflict', `A break-glass of ${other} is under way on this connection.`)
  }
  parts.notices.sendSoon()
  return {}
}

async function endBreakGlass(parts: ApprovalRouteDependencies, connection: Connection, request: FastifyRequest) {
  const { store, twoPersonApproval } = parts
  const active = await twoPersonApproval.activeBreakGlass(connection.id)
  request.auditMark = breakGlassApproval
  request.auditAbout = { connectionId: connection.id, subject: active?.reason.slice(0, 300) ?? null }
  if (!active) return {}
  await store.endBreakGlass(active.id, async (transaction) => {
    const { receiver } = await store.settings(connection.id, transaction)
    await addNotice(parts, transaction, connection, { receiver, event: 'breakGlass.ended', actor: active.actor })
  })
  parts.notices.sendSoon()
  return {}
}

/** Notifies of a break-glass whose time is over, as of one that a person ended. */
export async function recordExpiredBreakGlass(
  parts: ApprovalRouteDependencies,
  { connectionId, personId, actor, reason }: BreakGlass,
  transaction: Statements,
): Promise<void> {
  await parts.audit.enterOwn(
    {
      actor,
      personId,
      event: 'breakGlass.expire',
      connectionId,
      subject: reason,
      reason: null,
      mark: breakGlassApproval,
    },
    transaction,
  )
  const connection = parts.connections.list().find(({ id }) => id === connectionId)
  if (!connection) return
  const { receiver } = await parts.store.settings(connectionId, transaction)
  await addNotice(parts, transaction, connection, { receiver, event: 'breakGlass.ended', actor })
}

interface NoticeContent {
  receiver: Receiver | null
  event: NoticeEvent
  actor: string
  reason?: string
}

/** Stores a notification in the transaction of the change that it reports. */
function addNotice(
  { notices, consoleUrl }: ApprovalRouteDependencies,
  transaction: Statements,
  connection: Connection,
  { receiver, event, actor, reason }: NoticeContent,
): Promise<void> {
  return notices.add(transaction, receiver, {
    event,
    at: currentIsoTime(),
    connection: placeOf(connection),
    actor,
    ...(reason !== undefined && { reason }),
    link: `${consoleUrl()}/change-requests?connectionId=${connection.id}`,
  })
}

function placeOf({ id, name, stage }: Connection) {
  return { id, name, stage }
}
