/** People of the console, and the caller's own account. */
import { queryOptions } from '@tanstack/react-query'
import { fillPath } from '#contract/wire/kernel.ts'
import type {
  Account,
  CreatedToken,
  Invitation,
  Invited,
  ListedPerson,
  NewPasskey,
  PasswordChange,
  PersonInput,
  TokenInput,
} from '#contract/console/people.ts'
import { peoplePaths } from '#contract/console/peoplePaths.ts'
import { queryClient } from '../queryClient.ts'
import { send } from '../send.ts'

export const peopleQuery = queryOptions({
  queryKey: ['people'],
  queryFn: ({ signal }) => send<ListedPerson[]>(peoplePaths.people, { signal }),
})

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => send<Account>(peoplePaths.account, { signal }),
})

/** Whom a link invites. Reading it does not use the link up. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => send<Invitation>(peoplePaths.invitation, { method: 'POST', body: { token }, signal }),
    retry: false,
  })

/** The path of a person. */
const personPath = (path: string, personId: string) => fillPath(path, { personId })

/** Reads the list again, however the change ended. */
async function thenRead<T>(change: Promise<T>): Promise<T> {
  try {
    return await change
  } finally {
    await queryClient.invalidateQueries(peopleQuery)
  }
}

/** The link that is returned is shown once. */
export const addPerson = (input: PersonInput) =>
  thenRead(send<Invited>(peoplePaths.people, { method: 'POST', body: input }))

export const updatePerson = (id: string, input: PersonInput) =>
  thenRead(send(personPath(peoplePaths.person, id), { method: 'PUT', body: input }))

export const setPersonDisabled = (id: string, disabled: boolean) =>
  thenRead(send(personPath(peoplePaths.personDisabled, id), { method: 'PUT', body: { disabled } }))

export const deletePerson = (id: string) => thenRead(send(personPath(peoplePaths.person, id), { method: 'DELETE' }))

/** A new link in which the person chooses a password. Earlier ones stop working. */
export const invitePerson = (id: string) =>
  thenRead(send<Invited>(personPath(peoplePaths.personInvitation, id), { method: 'POST' }))

export async function changePassword(change: PasswordChange): Promise<void> {
  await send(peoplePaths.accountPassword, { method: 'PUT', body: change })
}

/** The secret that is returned is shown once. */
export async function createToken(input: TokenInput): Promise<CreatedToken> {
  const created = await send<CreatedToken>(peoplePaths.tokens, { method: 'POST', body: input })
  await queryClient.invalidateQueries(accountQuery)
  return created
}

export async function revokeToken(tokenId: string): Promise<void> {
  await send(fillPath(peoplePaths.token, { tokenId }), { method: 'DELETE' })
  await queryClient.invalidateQueries(accountQuery)
}

async function thenReadAccount(change: Promise<unknown>): Promise<void> {
  try {
    await change
  } finally {
    await queryClient.invalidateQueries(accountQuery)
  }
}

/** The browser's options to create a passkey, as the WebAuthn library has it. */
export const startPasskey = <T>() => send<T>(peoplePaths.passkeyOptions, { method: 'POST', body: {} })

export const addPasskey = (passkey: NewPasskey) =>
  thenReadAccount(send(peoplePaths.passkeys, { method: 'POST', body: passkey }))

export const renamePasskey = (passkeyId: string, name: string) =>
  thenReadAccount(send(fillPath(peoplePaths.passkey, { passkeyId }), { method: 'PUT', body: { name } }))

export const removePasskey = (passkeyId: string) =>
  thenReadAccount(send(fillPath(peoplePaths.passkey, { passkeyId }), { method: 'DELETE' }))

/** Starts to connect the account to a provider. @returns where to go */
export const startConnecting = (providerId: string) =>
  send<{ url: string }>(fillPath(peoplePaths.accountProvider, { providerId }), { method: 'POST', body: {} })

export const disconnectProvider = (providerId: string) =>
  thenReadAccount(send(fillPath(peoplePaths.accountProvider, { providerId }), { method: 'DELETE' }))
