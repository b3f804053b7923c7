/**
 * Finds the account of a confirmed identity. Known identities are found by issuer and subject only. An e-mail address leads to an
 * account only if the provider says that it is verified, and only if nobody ever signed in to that account; any other
 * account is connected by its owner, who is signed in to it.
 */
import type { GroupRole, Person } from '#contract/console/people.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { People } from '../people/people.ts'
import type { SignInLinks } from '../people/signInLinks.ts'
import { isAllowedDomain, rolesOfGroups } from './claims.ts'
import type { Identities } from './identities.ts'
import type { Confirmed } from './provider.ts'
import type { ProviderSettings } from './providerSettings.ts'

/** The actor in the audit log for what the console does by itself. */
const consoleName = 'Stack Console'

export interface AccountDependencies {
  people: People
  identities: Identities
  links: SignInLinks
}

/** The person who signed in, and how the roles from groups changed. */
export interface Opened {
  person: Person
  before: readonly GroupRole[]
}

/** @throws signedOut with the reason */
export async function openAccount(
  parts: AccountDependencies,
  settings: ProviderSettings,
  confirmed: Confirmed,
): Promise<Opened> {
  const { people, identities } = parts
  const { issuer, subject, groups } = confirmed
  refuseAddress(settings, confirmed)
  const knownId = await identities.personOf(issuer, subject)
  const id = knownId ?? (await firstSignIn(parts, settings, confirmed))
  const person = await people.known(id)
  refuseDisabled(person)
  await identities.noteSignIn({ issuer, subject, groups, provider: settings.id })
  if (person.state === 'invited') await people.activate(id)
  return { person: await people.known(id), before: knownId === undefined ? [] : (person.fromGroups ?? []) }
}

/** Connects an account that somebody is signed in to. @throws conflict */
export async function connectAccount(
  { people, identities }: AccountDependencies,
  settings: ProviderSettings,
  confirmed: Confirmed,
  personId: string,
): Promise<Opened> {
  refuseAddress(settings, confirmed)
  const { fromGroups: before = [] } = await people.known(personId)
  const { issuer, subject, groups } = confirmed
  if (!(await identities.connect({ issuer, subject, groups, personId, provider: settings.id }))) {
    const owner = await identities.personOf(issuer, subject)
    throw failure(
      'conflict',
      owner === undefined
        ? `Your account is connected to ${settings.label} already. Disconnect it first.`
        : owner === personId
          ? `Your account is connected to this identity of ${settings.label} already.`
          : `Somebody else's account is connected to this identity of ${settings.label}.`,
    )
  }
  return { person: await people.known(personId), before }
}

async function firstSignIn(
  parts: AccountDependencies,
  settings: ProviderSettings,
  confirmed: Confirmed,
): Promise<string> {
  const { people, identities, links } = parts
  const { label, id: provider } = settings
  const { email, emailVerified, name, groups, issuer, subject } = confirmed
  if (email === undefined) {
    throw refused(`${label} sent no e-mail address. An administrator has to add the scope "email".`)
  }
  if (!emailVerified) throw refused(`${label} does not say that the e-mail address ${email} is verified.`)
  const found = await people.byEmail(email)
  if (found) {
    refuseDisabled(found)
    if (found.state !== 'invited' || (await identities.of(found.id)).length > 0) {
      throw refused(
        `There is an account with the e-mail address ${email} already. Sign in to it as before, then connect it to ${label} under My account.`,
      )
    }
  } else if (!settings.createPeople) {
    throw refused(`Nobody with the e-mail address ${email} has an account here. An administrator can add one.`)
  } else if (rolesOfGroups(groups, settings).length === 0) {
    throw refused(`None of your groups at ${label} has a role in this console. An administrator can change that.`)
  }
  const { id } =
    found ?? (await people.add({ name: await nameFor(people, name, email), email, role: 'none', roles: {} }))
  if (!(await identities.connect({ issuer, subject, groups, personId: id, provider }))) {
    throw refused('Somebody signs in to this account at the same time. Try again.')
  }
  // A link that was sent before must not set a password for an account in use.
  await links.revoke(id)
  return id
}

/** A name that no other person has: the audit log shows names, and people choose theirs at the provider. */
async function nameFor(people: People, name: string, email: string): Promise<string> {
  const plain = (text: string) => text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ')
  const taken = [consoleName, ...(await people.list()).map((person) => person.name)]
  return taken.some((other) => plain(other) === plain(name)) ? `${name.slice(0, 80)} (${email})` : name
}

function refuseAddress(settings: ProviderSettings, { email, emailVerified }: Confirmed): void {
  if (settings.allowedDomains.length === 0) return
  if (email !== undefined && emailVerified && isAllowedDomain(email, settings)) return
  throw refused(
    `Only people with a verified e-mail address of ${settings.allowedDomains.join(', ')} may sign in with ${settings.label}.`,
  )
}

function refuseDisabled({ state }: Person): void {
  if (state === 'disabled') throw refused('This account is disabled.')
}

function refused(message: string) {
  return failure('signedOut', message)
}
