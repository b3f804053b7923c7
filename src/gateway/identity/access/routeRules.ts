/** Who may send which request: one rule for every route of the gateway. A route without one cannot be registered. */
import { agentPath } from '#contract/console/agents.ts'
import { apiKeyPaths } from '#contract/console/apiKeyPaths.ts'
import { auditPaths } from '#contract/console/audit.ts'
import { gatewayPaths, connectionDraft } from '#contract/console/connections.ts'
import { approvalPaths, changeRequestPaths } from '#contract/console/changeRequestPaths.ts'
import { environmentPaths, historyPaths, recordFilePaths, runPaths } from '#contract/console/environmentPaths.ts'
import { matchInput, matchRemoval } from '#contract/console/environments.ts'
import { consoleEndpoints } from '#contract/index.ts'
import { gatewayPath, type Endpoint } from '#contract/wire/kernel.ts'
import { pagePaths } from '#contract/console/pagePaths.ts'
import { peoplePaths } from '#contract/console/peoplePaths.ts'
import { savedStatementPaths } from '#contract/console/savedStatements.ts'
import { sharedLinkPaths } from '#contract/console/sharedLinks.ts'
import { promotionInput } from '#contract/console/runs.ts'
import type { Need } from '#contract/console/consoleRoles.ts'
import { parsed, routePath } from '../../http/requests.ts'

/** The role that a request needs on a connection; null for a connection that is not stored yet. */
export interface Demand {
  connectionId: string | null
  need: Need
}

export type Rule =
  /** Everybody, also without a session. */
  | 'open'
  /** Everybody with a session or token. The handler shows only what belongs to connections that they see. */
  | 'signedIn'
  /** The caller's own account and sessions. Never with a token. */
  | 'own'
  /** Administrators of the console. */
  | 'administrator'
  /** Administrators of the console. Never with a token. */
  | 'people'
  /** The connection in the path, and to read the one in the query, if `baseline` is set. */
  | { connection: Need; baseline?: true; peopleOnly?: true }
  /** The connection of the run in the path, and to read the one that it copies from. */
  | { run: Need }
  /** The connection of the change request in the path. Never with a token, if only people may do it. */
  | { changeRequest: Need; peopleOnly?: true }
  /** Connections that the body names. Throws invalid, as the handler would. */
  | { body: (body: unknown) => Demand[] }

/** Resources of deployments that give access to them: who may write them may do everything there. */
const givesAccess = new Set(['team', 'apiKeys', 'members', 'invitations', 'roles'])
/** Resources whose change may delete what nobody can bring back. */
const deletesTelemetry = new Set(['storage'])

/** The role that an endpoint of the contract needs on its connection. */
export function needOf({ resource, mutates, reveals }: Pick<Endpoint, 'resource' | 'mutates' | 'reveals'>): Need {
  if (reveals || (mutates && (givesAccess.has(resource) || deletesTelemetry.has(resource)))) return 'administrate'
  if (mutates) return 'write'
  return resource === 'sql' ? 'query' : 'read'
}

/** The rule of a promotion: of its plan, which reads, and of its start, which writes. */
const promotion = (need: Need) => ({
  body: (body: unknown): Demand[] => {
    const { from, targets } = parsed(promotionInput, body, 'The promotion')
    return [{ connectionId: from, need: 'read' }, ...targets.map(({ connectionId }) => ({ connectionId, need }))]
  },
})

const matched = (body: unknown): Demand[] =>
  parsed(matchInput, body, 'The match').records.map(({ connectionId }) => ({ connectionId, need: 'arrange' }))

const unmatched = (body: unknown): Demand[] => [
  { connectionId: parsed(matchRemoval, body, 'The match').connectionId, need: 'arrange' },
]

/** The stored key of a connection may be sent to the deployment that the form names. */
const drafted = (body: unknown): Demand[] => [
  { connectionId: parsed(connectionDraft, body, 'The connection').connectionId ?? null, need: 'administrate' },
]

const read: Rule = { connection: 'read' }
const arrange: Rule = { connection: 'arrange' }
const write: Rule = { connection: 'write' }
const administrate: Rule = { connection: 'administrate' }

const rules: Record<string, Rule> = {
  [`GET ${gatewayPaths.session}`]: 'open',
  [`POST ${gatewayPaths.session}`]: 'open',
  [`DELETE ${gatewayPaths.session}`]: 'open',
  [`POST ${peoplePaths.invitation}`]: 'open',
  [`POST ${peoplePaths.providerSignIn}`]: 'open',
  [`POST ${peoplePaths.passkeySignIn}`]: 'open',
  [`POST ${sharedLinkPaths.view}`]: 'open',

  [`GET ${pagePaths.sessions}`]: 'own',
  [`DELETE ${pagePaths.sessions}`]: 'own',
  [`DELETE ${pagePaths.oneSession}`]: 'own',
  [`GET ${peoplePaths.account}`]: 'own',
  [`PUT ${peoplePaths.accountPassword}`]: 'own',
  [`POST ${peoplePaths.tokens}`]: 'own',
  [`DELETE ${peoplePaths.token}`]: 'own',
  [`POST ${peoplePaths.passkeyOptions}`]: 'own',
  [`POST ${peoplePaths.passkeys}`]: 'own',
  [`PUT ${peoplePaths.passkey}`]: 'own',
  [`DELETE ${peoplePaths.passkey}`]: 'own',
  [`POST ${peoplePaths.accountProvider}`]: 'own',
  [`POST ${peoplePaths.accountProviders}`]: 'own',
  [`DELETE ${peoplePaths.accountProvider}`]: 'own',

  [`GET ${peoplePaths.allSessions}`]: 'people',
  [`DELETE ${peoplePaths.anySession}`]: 'people',
  [`GET ${peoplePaths.people}`]: 'people',
  [`POST ${peoplePaths.people}`]: 'people',
  [`PUT ${peoplePaths.person}`]: 'people',
  [`DELETE ${peoplePaths.person}`]: 'people',
  [`PUT ${peoplePaths.personDisabled}`]: 'people',
  [`DELETE ${pagePaths.damagedRecords}`]: 'people',
  [`POST ${peoplePaths.personInvitation}`]: 'people',

  [`GET ${gatewayPaths.connections}`]: 'signedIn',
  [`POST ${gatewayPaths.connections}`]: 'administrator',
  [`PUT ${gatewayPaths.connection}`]: administrate,
  [`DELETE ${gatewayPaths.connection}`]: administrate,
  [`GET ${gatewayPaths.connectionBudget}`]: read,
  [`PUT ${gatewayPaths.connectionReadOnly}`]: write,
  [`POST ${gatewayPaths.connectionTest}`]: read,
  [`POST ${gatewayPaths.connectionDraftTest}`]: { body: drafted },

  [`GET ${apiKeyPaths.connectionKey}`]: read,
  [`GET ${apiKeyPaths.rotations}`]: read,
  [`GET ${apiKeyPaths.rotation}`]: read,
  [`POST ${apiKeyPaths.rotations}`]: administrate,
  [`POST ${apiKeyPaths.rotationResume}`]: administrate,
  [`POST ${apiKeyPaths.rotationUndo}`]: administrate,
  [`POST ${apiKeyPaths.rotationFinish}`]: administrate,
  [`GET ${approvalPaths.approvalSettings}`]: read,
  [`PUT ${approvalPaths.approvalSettings}`]: { connection: 'administrate', peopleOnly: true },
  [`POST ${approvalPaths.approvalTest}`]: administrate,
  [`POST ${approvalPaths.breakGlass}`]: { connection: 'write', peopleOnly: true },
  [`DELETE ${approvalPaths.breakGlass}`]: write,

  [`GET ${changeRequestPaths.changeRequests}`]: 'signedIn',
  [`GET ${changeRequestPaths.changeRequestCounts}`]: 'signedIn',
  [`GET ${changeRequestPaths.changeRequest}`]: { changeRequest: 'read' },
  // The handlers say who else may not: the requester, and those without the role that its changes need.
  [`POST ${changeRequestPaths.approve}`]: { changeRequest: 'write', peopleOnly: true },
  [`POST ${changeRequestPaths.decline}`]: { changeRequest: 'write', peopleOnly: true },
  [`POST ${changeRequestPaths.withdraw}`]: { changeRequest: 'read' },
  [`POST ${changeRequestPaths.comments}`]: { changeRequest: 'read' },

  // Its tools send requests of their own, each with its rule.
  [`POST ${agentPath}`]: 'signedIn',
  [`GET ${agentPath}`]: 'signedIn',
  [`DELETE ${agentPath}`]: 'signedIn',

  // It has the entries of all connections and people.
  [`GET ${auditPaths.entries}`]: 'administrator',
  [`GET ${auditPaths.export}`]: 'administrator',
  [`GET ${auditPaths.verification}`]: 'administrator',

  [`GET ${pagePaths.pipeSamples}`]: read,
  [`GET ${pagePaths.serviceSamples}`]: read,
  [`GET ${pagePaths.serviceLoad}`]: read,
  [`GET ${pagePaths.sizeLoads}`]: read,
  [`POST ${pagePaths.sizePredictions}`]: arrange,
  [`GET ${pagePaths.markers}`]: read,
  // They are what the console itself knows: the deployment is not changed.
  [`POST ${pagePaths.markers}`]: arrange,
  [`DELETE ${pagePaths.marker}`]: arrange,
  [`GET ${sharedLinkPaths.links}`]: read,
  // These links give access without an account: people create them, personal tokens do not.
  [`POST ${sharedLinkPaths.links}`]: { connection: 'write', peopleOnly: true },
  [`DELETE ${sharedLinkPaths.link}`]: write,
  // Statements may have values of the telemetry: only people who may run SQL read them.
  [`GET ${savedStatementPaths.statements}`]: { connection: 'query' },
  [`POST ${savedStatementPaths.statements}`]: arrange,
  [`PUT ${savedStatementPaths.statement}`]: arrange,
  [`DELETE ${savedStatementPaths.statement}`]: arrange,
  [`POST ${savedStatementPaths.uses}`]: { connection: 'query' },
  // Templates are code, which those who may save them may try.
  [`POST ${pagePaths.notificationPreview}`]: write,

  [`GET ${historyPaths.recentChanges}`]: 'signedIn',
  [`GET ${historyPaths.changes}`]: read,
  [`GET ${historyPaths.historyTotals}`]: read,
  [`GET ${historyPaths.changeStrip}`]: read,
  [`GET ${historyPaths.deletedRecords}`]: read,
  [`GET ${historyPaths.recordVersions}`]: read,
  [`GET ${historyPaths.goneRecord}`]: read,
  [`GET ${historyPaths.recordVersion}`]: read,
  [`PUT ${historyPaths.historySettings}`]: arrange,
  [`POST ${historyPaths.snapshot}`]: read,

  [`POST ${runPaths.promotionPlan}`]: promotion('read'),
  [`POST ${runPaths.promotions}`]: promotion('write'),
  [`POST ${runPaths.restorePlan}`]: read,
  [`POST ${runPaths.restores}`]: write,
  [`POST ${runPaths.fileImportPlan}`]: read,
  [`POST ${runPaths.fileImports}`]: write,
  [`GET ${runPaths.runs}`]: 'signedIn',
  [`GET ${runPaths.run}`]: { run: 'read' },
  [`POST ${runPaths.runStop}`]: { run: 'write' },
  [`POST ${runPaths.runResume}`]: { run: 'write' },
  [`POST ${runPaths.undoPlan}`]: { run: 'read' },
  [`POST ${runPaths.undo}`]: { run: 'write' },

  [`GET ${recordFilePaths.export}`]: read,

  [`GET ${environmentPaths.connectionStates}`]: 'signedIn',
  [`GET ${environmentPaths.comparisons}`]: read,
  [`GET ${environmentPaths.comparison}`]: { connection: 'read', baseline: true },
  [`GET ${environmentPaths.comparedFields}`]: { connection: 'read', baseline: true },
  [`POST ${environmentPaths.recordMatches}`]: { body: matched },
  [`DELETE ${environmentPaths.recordMatches}`]: { body: unmatched },
  [`GET ${environmentPaths.recordSearch}`]: 'signedIn',

  ...Object.fromEntries(
    consoleEndpoints.map((endpoint) => [
      `${endpoint.method} ${gatewayPath(endpoint)}`,
      { connection: needOf(endpoint) },
    ]),
  ),
}

const byRoute = new Map(Object.entries(rules).map(([route, rule]) => [routePath(route), rule]))

/** The rule of a route as it is registered, such as `GET` and `/api/connections/:connectionId`. */
export function routeRule(method: string, url: string): Rule | undefined {
  return byRoute.get(`${method === 'HEAD' ? 'GET' : method} ${url}`)
}
