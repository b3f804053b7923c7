/** Organizations: docs/DEPLOYMENTS.md#organizations. The variant has already refused every id except this stack's. */
import type { z } from 'zod'
import type { Handlers } from '#contract/wire/kernel.ts'
import type { Organization, organizations, organizationUpdate } from '#contract/cloud/organization/organizations.ts'
import type { StackContext } from '../context.ts'
import { organizationAnswer, organizationRows } from '../../documents/organizationRows.ts'
import { notFound } from '../../refusal.ts'

export const organizationHandlers: Handlers<typeof organizations, StackContext> = {
  async list(_, { store }) {
    return (await organizationRows.all(store)).map(organizationAnswer)
  },

  async get(_, { store, identity }) {
    const organization = await organizationRows.get(store, identity.organizationId)
    if (!organization) throw notFound('Organization')
    return organizationAnswer(organization)
  },

  update({ body }, { store, identity }) {
    return store.write(async (transaction) => {
      const stored = await organizationRows.get(transaction, identity.organizationId)
      if (!stored) throw notFound('Organization')
      const organization = changedOrganization(stored, body)
      await organizationRows.update(transaction, organization)
      return organizationAnswer(organization)
    })
  },
}

function changedOrganization(stored: Organization, update: z.output<typeof organizationUpdate>): Organization {
  const { name, privateEndpoints, enableCoreDumps } = update
  return {
    ...stored,
    ...(name !== undefined && { name }),
    ...(privateEndpoints && { privateEndpoints: changedEndpoints(stored, privateEndpoints) }),
    ...(enableCoreDumps !== undefined && { enableCoreDumps }),
  }
}

function changedEndpoints(
  { privateEndpoints }: Organization,
  { remove = [], add = [] }: NonNullable<z.output<typeof organizationUpdate>['privateEndpoints']>,
): NonNullable<Organization['privateEndpoints']> {
  const gone = new Set([...remove, ...add].map(({ id }) => id))
  return [...(privateEndpoints ?? []).filter(({ id }) => !gone.has(id)), ...add]
}
