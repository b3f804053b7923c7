/**
 * Decides for every write whether it may be sent, needs approval by a second person, or is allowed by a break-glass. The
 * last look is at the very end, before `Deployments` sends: a run that began before two-person approval was switched on ends there.
 */
import type { Agent } from '#contract/console/agents.ts'
import type { ChangeRequestDraft } from '#contract/console/changeRequests.ts'
import type { Connection } from '#contract/console/connections.ts'
import { isAtLeast, roleNeeded, type Need } from '#contract/console/consoleRoles.ts'
import type { Endpoint } from '#contract/wire/kernel.ts'
import type { Person } from '#contract/console/people.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { Operation } from '#node/upstream/operation.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import { accessOfPerson } from '../identity/access/access.ts'
import type { Connections } from '../connections/connections.ts'
import { sharesRecords } from '#contract/console/deployments.ts'
import type { People } from '../identity/people/people.ts'
import type { ApprovalStore, BreakGlass } from './approvalStore.ts'
import { reachOf } from './reach.ts'

/** The author of a change, and what they say about it. */
export interface ChangeAuthor {
  /** `Access.personId`. */
  personId: string | null
  isToken: boolean
  actor: string
  principal: string | null
  /** The agent that sends it. */
  agent: Agent | null
  draft: ChangeRequestDraft
}

type ApprovalRequester = Pick<ChangeAuthor, 'personId' | 'isToken'> & Partial<Pick<ChangeAuthor, 'agent'>>

/** The reason for refusing a request for approval from a session without an account. */
export const unknownRequester =
  'Changes of this connection need approval by a second person. Sign in with an account of your own to ask for it: the link and the password of the console do not tell who you are.'

type Guardian = Pick<Connection, 'id' | 'name'>

/** How a write may be sent: at once, within a break-glass, or after approval. */
export type WriteRoute = 'direct' | 'breakGlass' | 'approval'

/** The approval of a write during a break-glass: `WriteCause.approval`. */
export const breakGlassApproval = 'break-glass'

/**
 * Operations that need no approval: POSTs that change nothing on the deployment, and the acknowledgement of a firing alert.
 * An acknowledgement also stops repeated notifications until the alert is resolved. It needs no approval, so that nobody has
 * to wait for one at night; new groups that fire and the end of the alert are still notified. The audit log has its author.
 */
const harmless = new Set([
  'alerts.acknowledge',
  'alerts.unacknowledge',
  'webhooks.test',
  'alerts.test',
  'alerts.resend',
  'pipes.discover',
])

interface ApprovalDependencies {
  store: ApprovalStore
  connections: Connections
  people: People
}

export class TwoPersonApproval {
  readonly #dependencies: ApprovalDependencies

  constructor(dependencies: ApprovalDependencies) {
    this.#dependencies = dependencies
  }

  /** @throws blocked if the deployment is protected by another connection to it */
  async routeOfWrite(target: UpstreamTarget, requester: ApprovalRequester, operation?: Operation): Promise<WriteRoute> {
    const { agent } = requester
    if (operation && isHarmless(operation.endpoint) && !agent) return 'direct'
    const guardian = await this.#guardianOf(target, operation)
    if (guardian === undefined) return agent && !(await this.#allows(target, agent, operation)) ? 'approval' : 'direct'
    if (guardian.id !== target.connectionId) throw guardedElsewhere(await this.#nameFor(requester, guardian))
    return (await this.breaksGlass(target.connectionId, requester)) ? 'breakGlass' : 'approval'
  }

  /** Whether a second person must approve what is changed through a connection. */
  async needsSecond(connectionId: string): Promise<boolean> {
    const { connections } = this.#dependencies
    if (connections.stageOf(connectionId) === undefined) return true
    return (await this.#guardianOf(connections.open(connectionId))) !== undefined
  }

  /** Whether somebody changes the connection without approval now. Tokens never do. */
  async breaksGlass(connectionId: string, requester: ApprovalRequester): Promise<boolean> {
    const active = await this.activeBreakGlass(connectionId)
    return active !== undefined && this.isOwn(active, requester)
  }

  /**
   * Whether a break-glass is the sender's own. Everybody who signed in with the link or password of the console has no ID:
   * they own one together only while nobody has an account.
   */
  async isOwn(active: Pick<BreakGlass, 'personId'>, { personId, isToken }: ApprovalRequester): Promise<boolean> {
    if (isToken || active.personId !== personId) return false
    return personId !== null || !(await this.#dependencies.people.exist())
  }

  /** @throws forbidden for somebody without an account, where people have one */
  async refuseBreakGlassWithoutAccount(requester: Pick<ApprovalRequester, 'personId'>): Promise<void> {
    const reason = await this.breakGlassRefusal(requester)
    if (reason !== undefined) throw failure('forbidden', reason)
  }

  /** Why somebody cannot start a break-glass; undefined if they can. */
  async breakGlassRefusal({ personId }: Pick<ApprovalRequester, 'personId'>): Promise<string | undefined> {
    if (personId !== null || !(await this.#dependencies.people.exist())) return undefined
    return 'Sign in with an account of your own to change this connection without approval: the link and the password of the console do not tell who you are.'
  }

  async activeBreakGlass(connectionId: string): Promise<BreakGlass | undefined> {
    return (await this.#dependencies.store.breakGlasses()).get(connectionId)
  }

  /** The guard of `Deployments`. @throws blocked for a write of a protected deployment that nothing allows */
  async check(target: UpstreamTarget, operation: Operation): Promise<void> {
    if (operation.cause?.approval !== undefined || isHarmless(operation.endpoint)) return
    const guardian = await this.#guardianOf(target, operation)
    if (guardian === undefined) return
    if (guardian.id !== target.connectionId) throw guardedElsewhere(undefined)
    throw failure(
      'blocked',
      'Changes of this connection need approval by now. Nothing was sent. Start the change again.',
    )
  }

  /** People who may do it on the connection now, except one. */
  async peopleWho(connectionId: string, need: Need, except: string | null = null): Promise<Person[]> {
    const stage = this.#dependencies.connections.stageOf(connectionId)
    if (stage === undefined) return []
    const least = roleNeeded(need, stage)
    return (await this.#dependencies.people.list()).filter(
      (person) =>
        person.id !== except &&
        person.state === 'active' &&
        isAtLeast(accessOfPerson(person.id, person).roleOn(connectionId), least),
    )
  }

  /**
   * Whether a connection lets an agent change it without approval: never to remove something, and never what a production
   * connection or somebody else's service depends on.
   */
  async #allows(target: UpstreamTarget, { tool, removes }: Agent, operation?: Operation): Promise<boolean> {
    if (removes || operation?.endpoint.method === 'DELETE') return false
    const all = this.#dependencies.connections.list()
    if (operation && reachOf(all, target, operation).others.length > 0) return false
    if (all.some((other) => other.stage === 'production' && sharesRecords(other, target))) return false
    const { agentTools } = await this.#dependencies.store.settings(target.connectionId)
    return agentTools.some((agentTool) => agentTool === tool)
  }

  /** The connection with two-person approval that decides over a write: this one, if it has it, unless the write is about another's service. */
  async #guardianOf(target: UpstreamTarget, operation?: Operation): Promise<Guardian | undefined> {
    const ids = await this.#dependencies.store.protectedIds()
    if (ids.size === 0) return undefined
    const all = this.#dependencies.connections.list()
    const { isService, others } = operation ? reachOf(all, target, operation) : { isService: false, others: [] }
    const reached = others.find(({ id }) => ids.has(id))
    if (reached && isService) return reached
    const sharing = all.filter(
      (other) => ids.has(other.id) && (other.id === target.connectionId || sharesRecords(other, target)),
    )
    return sharing.find(({ id }) => id === target.connectionId) ?? sharing[0] ?? reached
  }

  /** The name of a connection; undefined for somebody who does not see it. */
  async #nameFor({ personId }: ApprovalRequester, { id, name }: Guardian): Promise<string | undefined> {
    if (personId === null) return name
    const person = await this.#dependencies.people.present(personId)
    return person && isAtLeast(accessOfPerson(person.id, person).roleOn(id), 'viewer') ? name : undefined
  }
}

function isHarmless({ resource, verb }: Endpoint): boolean {
  return harmless.has(`${resource}.${verb}`)
}

function guardedElsewhere(name: string | undefined) {
  const which = name === undefined ? 'another connection' : `the connection ${name}`
  return failure('blocked', `This changes what ${which} leads to, whose changes need approval. Make the change there.`)
}
