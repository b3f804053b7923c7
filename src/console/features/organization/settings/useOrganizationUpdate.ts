/** Saves a change of the organization, on top of what the page shows. */
import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '#console/api/call.ts'
import type { ApiFailure } from '#console/api/failure.ts'
import { invalidate } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import {
  organizations,
  type Organization,
  type organizationUpdate,
} from '#contract/cloud/organization/organizations.ts'

type Change = z.input<typeof organizationUpdate>

/** @param done what is said once it is saved */
export function useOrganizationUpdate(
  organization: Organization,
  done: (change: Change) => string,
): UseMutationResult<unknown, ApiFailure, Change> {
  const { id: connectionId } = useConnection()
  return useMutation<unknown, ApiFailure, Change>({
    mutationFn: (body) => call(connectionId, organizations.update, { body }, { base: organization }),
    onSuccess: (_, change) => toast({ tone: 'ok', text: done(change) }),
    onError: toastFailure,
    onSettled: () => invalidate(connectionId, 'organizations'),
  })
}
