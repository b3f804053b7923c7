/**
 * Decides for every write whether it may be sent, needs approval by a second person, or is allowed by a break-glass. The
 * last look is at the very end, before `Deployments` sends: a run that began before four eyes was switched on ends there.
 */
import type { ChangeRequestDraft } from '#contract/changeRequests.ts'
import { isAtLeast, roleNeeded, type Need } from '#contract/consoleRoles.ts'
import type { Endpoint } from '#contract/kernel.ts'
import type { Person } from '#contract/people.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { Operation } from '#node/upstream/operation.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import { accessOfPerson } from '../access/access.ts'
import type { Connections } from '../connections/connections.ts'
import { sharesRecords } from '../history/historyKinds.ts'
import type { People } from '../people/people.ts'
import type { ApprovalStore, BreakGlass } from './approvalStore.ts'

/** Who wants to change something, and what they say about it. */
export interface Asking {
  /** `Access.personId`. */
  personId: string | null
  isToken: boolean
  actor: string
  /** `Access.by`. */
  by: string | null
  draft: ChangeRequestDraft
}

type Asker = Pick<Asking, 'personId' | 'isToken'>

/** What a write needs. */
export type Passage = 'free' | 'breakGlass' | 'approval'

/** What allows a write during a break-glass: `WriteCause.approval`. */
export const breakGlassApproval = 'break-glass'

/** Operations of the contract that change nothing on the deployment, although they are POST. */
const harmless = new Set(['webhooks.test', 'alerts.resend'])

interface Parts {
  store: ApprovalStore
  connections: Connections
  people: People
}

export class FourEyes {
  constructor(private readonly parts: Parts) {}

  /** @throws blocked if the deployment is protected by another connection to it */
  async passageOf(target: UpstreamTarget, asker: Asker, endpoint?: Endpoint): Promise<Passage> {
    if (endpoint && isHarmless(endpoint)) return 'free'
    const guardian = await this.guardianOf(target)
    if (guardian === undefined) return 'free'
    if (guardian.id !== target.connectionId) throw guardedElsewhere(guardian.name)
    return (await this.breaksGlass(target.connectionId, asker)) ? 'breakGlass' : 'approval'
  }

  /** Whether somebody changes the connection without approval now. Tokens never do. */
  async breaksGlass(connectionId: string, { personId, isToken }: Asker): Promise<boolean> {
    const active = await this.activeBreakGlass(connectionId)
    return active !== undefined && !isToken && active.personId === personId
  }

  async activeBreakGlass(connectionId: string): Promise<BreakGlass | undefined> {
    return (await this.parts.store.breakGlasses()).get(connectionId)
  }

  /** The guard of `Deployments`. @throws blocked for a write of a protected deployment that nothing allows */
  async check(target: UpstreamTarget, { endpoint, cause }: Operation): Promise<void> {
    if (cause?.approval !== undefined || isHarmless(endpoint)) return
    const guardian = await this.guardianOf(target)
    if (guardian === undefined) return
    if (guardian.id !== target.connectionId) throw guardedElsewhere(guardian.name)
    throw failure(
      'blocked',
      'Changes of this connection need approval by now. Nothing was sent. Start the change again.',
    )
  }

  /** People who may do it on the connection now, except one. */
  async peopleWho(connectionId: string, need: Need, except: string | null = null): Promise<Person[]> {
    const stage = this.parts.connections.stageOf(connectionId)
    if (stage === undefined) return []
    const least = roleNeeded(need, stage)
    return (await this.parts.people.list()).filter(
      (person) =>
        person.id !== except &&
        person.state === 'active' &&
        isAtLeast(accessOfPerson(person.id, person).roleOn(connectionId), least),
    )
  }

  /** The connection with four eyes that leads to the same records: this one, if it has it. */
  private async guardianOf(target: UpstreamTarget): Promise<{ id: string; name: string } | undefined> {
    const ids = await this.parts.store.protectedIds()
    if (ids.size === 0) return undefined
    const guarded = this.parts.connections.list().filter(({ id }) => ids.has(id))
    const sharing = guarded.filter((one) => one.id === target.connectionId || sharesRecords(one, target))
    return sharing.find(({ id }) => id === target.connectionId) ?? sharing[0]
  }
}

function isHarmless({ resource, verb }: Endpoint): boolean {
  return harmless.has(`${resource}.${verb}`)
}

function guardedElsewhere(name: string) {
  return failure(
    'blocked',
    `This deployment is also the connection ${name}, whose changes need approval. Make the change there.`,
  )
}
