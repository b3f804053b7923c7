/** Organizations: section 3 of the managed reference. The variant has already refused every id except this stack's. */
import type { Handlers } from '#contract/kernel.ts'
import type { Organization, organizations } from '#contract/organizations.ts'
import type { StackContext } from './context.ts'
import { notFound } from '../refusal.ts'
import { collection } from '../store/collection.ts'

export const organizationRows = collection<Organization>('organizations')

export const organizationHandlers: Handlers<typeof organizations, StackContext> = {
  list: (_, { store }) => organizationRows.list(store),

  async get(_, { store, identity }) {
    const organization = await organizationRows.text(store, identity.organizationId)
    if (!organization) throw notFound('Organization')
    return organization
  },
}
