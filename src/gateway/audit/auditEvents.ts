/** The actions of the gateway's requests, in the words of the audit log. */
import { agentPath } from '#contract/console/agents.ts'
import { apiKeyPaths } from '#contract/console/apiKeyPaths.ts'
import { gatewayPaths } from '#contract/console/connections.ts'
import { approvalPaths, changeRequestPaths } from '#contract/console/changeRequestPaths.ts'
import { environmentPaths, historyPaths, runPaths } from '#contract/console/environmentPaths.ts'
import { consoleEndpoints } from '#contract/index.ts'
import { gatewayPath } from '#contract/wire/kernel.ts'
import { pagePaths } from '#contract/console/pagePaths.ts'
import { peoplePaths } from '#contract/console/peoplePaths.ts'
import { savedStatementPaths } from '#contract/console/savedStatements.ts'
import { sharedLinkPaths } from '#contract/console/sharedLinks.ts'
import { withoutLiterals } from '#domain/query/sqlLiterals.ts'
import { routePath } from '../http/requests.ts'

/** A sign-in, of whichever way. */
export const signInEvent = 'session.signIn'

/** Events that are not held up by a disk that is full: they take access away. */
const alwaysAllowed: readonly string[] = [
  'session.signOut',
  'session.end',
  'session.endOthers',
  'session.endAny',
  'session.backChannelSignOut',
]

/** Events of people who are not signed in yet. Only their outcome is entered, so that strangers cannot fill the disk. */
const openEvents: readonly string[] = [signInEvent, 'session.backChannelSignOut', 'team.join', 'organization.join']

/** By method and path: the event, or null for what changes nothing and is not entered. */
const gatewayEvents: Readonly<Record<string, string | null>> = {
  [`POST ${gatewayPaths.session}`]: signInEvent,
  [`DELETE ${gatewayPaths.session}`]: 'session.signOut',
  [`DELETE ${pagePaths.sessions}`]: 'session.endOthers',
  [`DELETE ${pagePaths.oneSession}`]: 'session.end',
  [`DELETE ${peoplePaths.anySession}`]: 'session.endAny',
  [`POST ${peoplePaths.backChannelSignOut}`]: 'session.backChannelSignOut',
  [`POST ${peoplePaths.providerSignIn}`]: null,
  [`POST ${peoplePaths.passkeySignIn}`]: null,
  [`POST ${peoplePaths.invitation}`]: null,
  [`DELETE ${pagePaths.damagedRecords}`]: 'damagedRecord.remove',
  [`POST ${peoplePaths.people}`]: 'person.create',
  [`PUT ${peoplePaths.person}`]: 'person.update',
  [`DELETE ${peoplePaths.person}`]: 'person.delete',
  [`PUT ${peoplePaths.personDisabled}`]: 'person.setDisabled',
  [`POST ${peoplePaths.personInvitation}`]: 'person.invite',
  [`PUT ${peoplePaths.accountPassword}`]: 'account.setPassword',
  [`POST ${peoplePaths.accountProvider}`]: null,
  [`POST ${peoplePaths.accountProviders}`]: 'account.connectProvider',
  [`DELETE ${peoplePaths.accountProvider}`]: 'account.disconnectProvider',
  [`POST ${peoplePaths.passkeyOptions}`]: null,
  [`POST ${peoplePaths.passkeys}`]: 'passkey.create',
  [`PUT ${peoplePaths.passkey}`]: 'passkey.update',
  [`DELETE ${peoplePaths.passkey}`]: 'passkey.delete',
  [`POST ${peoplePaths.tokens}`]: 'token.create',
  [`DELETE ${peoplePaths.token}`]: 'token.revoke',
  [`POST ${gatewayPaths.joinPage}`]: 'team.join',
  [`POST ${gatewayPaths.organizationJoinPage}`]: 'organization.join',
  [`POST ${gatewayPaths.connections}`]: 'connection.create',
  [`PUT ${gatewayPaths.connection}`]: 'connection.update',
  [`DELETE ${gatewayPaths.connection}`]: 'connection.delete',
  [`PUT ${gatewayPaths.connectionReadOnly}`]: 'connection.setReadOnly',
  [`POST ${gatewayPaths.connectionTest}`]: null,
  [`POST ${gatewayPaths.connectionDraftTest}`]: null,
  [`POST ${apiKeyPaths.rotations}`]: 'apiKeyRotation.start',
  [`POST ${apiKeyPaths.rotationResume}`]: 'apiKeyRotation.resume',
  [`POST ${apiKeyPaths.rotationUndo}`]: 'apiKeyRotation.undo',
  [`POST ${apiKeyPaths.rotationFinish}`]: 'apiKeyRotation.finish',
  [`POST ${pagePaths.notificationPreview}`]: null,
  // The calls of tools are entered one by one: `agents/agentRoutes.ts`.
  [`POST ${agentPath}`]: null,
  [`DELETE ${agentPath}`]: null,
  // The change of the size itself is entered.
  [`POST ${pagePaths.sizePredictions}`]: null,
  [`POST ${pagePaths.markers}`]: 'marker.create',
  [`DELETE ${pagePaths.marker}`]: 'marker.delete',
  [`POST ${sharedLinkPaths.links}`]: 'sharedLink.create',
  [`DELETE ${sharedLinkPaths.link}`]: 'sharedLink.revoke',
  [`POST ${savedStatementPaths.statements}`]: 'sql.saveStatement',
  [`PUT ${savedStatementPaths.statement}`]: 'sql.changeStatement',
  [`DELETE ${savedStatementPaths.statement}`]: 'sql.deleteStatement',
  // The run itself is entered.
  [`POST ${savedStatementPaths.uses}`]: null,
  // Not each view is entered: `sharedLinks/sharedLinkRoutes.ts`.
  [`POST ${sharedLinkPaths.view}`]: null,
  [`PUT ${historyPaths.historySettings}`]: 'history.setSnapshots',
  [`POST ${historyPaths.snapshot}`]: null,
  [`POST ${environmentPaths.recordMatches}`]: 'recordMatch.create',
  [`DELETE ${environmentPaths.recordMatches}`]: 'recordMatch.delete',
  [`PUT ${approvalPaths.approvalSettings}`]: 'approval.setRules',
  [`POST ${approvalPaths.approvalTest}`]: null,
  [`POST ${approvalPaths.breakGlass}`]: 'breakGlass.start',
  [`DELETE ${approvalPaths.breakGlass}`]: 'breakGlass.end',
  [`POST ${changeRequestPaths.approve}`]: 'changeRequest.approve',
  [`POST ${changeRequestPaths.decline}`]: 'changeRequest.decline',
  [`POST ${changeRequestPaths.withdraw}`]: 'changeRequest.withdraw',
  [`POST ${changeRequestPaths.comments}`]: 'changeRequest.comment',
  [`POST ${runPaths.promotionPlan}`]: null,
  [`POST ${runPaths.promotions}`]: 'promotion.start',
  [`POST ${runPaths.restorePlan}`]: null,
  [`POST ${runPaths.restores}`]: 'restore.start',
  [`POST ${runPaths.fileImportPlan}`]: null,
  [`POST ${runPaths.fileImports}`]: 'fileImport.start',
  [`POST ${runPaths.runStop}`]: 'run.stop',
  [`POST ${runPaths.runResume}`]: 'run.resume',
  [`POST ${runPaths.undoPlan}`]: null,
  [`POST ${runPaths.undo}`]: 'run.undo',
}

const events = new Map<string, string | null>([
  ...Object.entries(gatewayEvents).map(([key, event]) => [routePath(key), event] as const),
  ...consoleEndpoints
    .filter(({ method }) => method !== 'GET')
    .map((endpoint) => {
      const isEntered = endpoint.mutates || endpoint.audited !== undefined
      const event = isEntered ? `${endpoint.resource}.${endpoint.verb}` : null
      return [routePath(`${endpoint.method} ${gatewayPath(endpoint)}`), event] as const
    }),
])

/**
 * The event of a route, such as `alerts.update`; null for what changes nothing; undefined for a route that this table lacks.
 * @param url the pattern of the route, as the server has it
 */
export function eventOf(method: string, url: string): string | null | undefined {
  return method === 'GET' || method === 'HEAD' ? null : events.get(`${method} ${url}`)
}

/** The fields of bodies with SQL that names what is read, by event. */
const statementFields: ReadonlyMap<string, string> = new Map(
  consoleEndpoints.flatMap(({ resource, verb, audited }) =>
    audited === undefined ? [] : [[`${resource}.${verb}`, audited] as const],
  ),
)

/** The SQL of an event, without its literals and comments, which may be secret; undefined for events without SQL. */
export function statementOf(event: string, body: unknown): string | undefined {
  const field = statementFields.get(event)
  const statement: unknown = field === undefined ? undefined : Object(body)[field]
  return typeof statement === 'string' ? withoutLiterals(statement) : undefined
}

/** Whether an action is carried out even if its entry cannot be stored. */
export function isAlwaysAllowed(event: string): boolean {
  return alwaysAllowed.includes(event)
}

/** Whether only successful attempts are audited; refused ones go to the console's log, because anybody can send them. */
export function auditsSuccessOnly(event: string): boolean {
  return event === 'session.backChannelSignOut'
}

/** Whether people who are not signed in may cause the event. */
export function isOpenEvent(event: string): boolean {
  return openEvents.includes(event)
}
