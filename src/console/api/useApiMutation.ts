/** Sends writes. Every user action gets an ID, so that a repeated request reaches the deployment once. */
import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import type { ResourceName } from '#contract/index.ts'
import type { Endpoint, Input, Output } from '#contract/wire/kernel.ts'
import { call } from './call.ts'
import type { ApiFailure } from './failure.ts'
import { invalidate } from './queries.ts'

interface Options<E extends Endpoint> {
  onSuccess?: (result: Output<E>, input: Input<E>) => unknown
  onError?: (failure: ApiFailure, input: Input<E>) => unknown
  /** Fields of the body as they are called on the screen, by their paths. */
  titles?: Readonly<Record<string, string>>
}

/**
 * A write against an endpoint. Reads of its resource are invalidated when it succeeds and when its outcome is unknown.
 * Errors belong to the caller: a form shows them inline, a bare action as a toast.
 */
export function useApiMutation<E extends Endpoint>(
  connectionId: string,
  endpoint: E,
  options: Options<E> = {},
): UseMutationResult<Output<E>, ApiFailure, Input<E>> {
  return useMutation<Output<E>, ApiFailure, Input<E>>({
    mutationFn: (input) => call(connectionId, endpoint, input, { titles: options.titles }),
    onSuccess: async (result, input) => {
      void invalidate(connectionId, resourceOf(endpoint))
      await options.onSuccess?.(result, input)
    },
    onError: async (failure, input) => {
      if (failure.code === 'outcomeUnknown') void invalidate(connectionId, resourceOf(endpoint))
      await options.onError?.(failure, input)
    },
  })
}

/** `resource()` of the contract gives every endpoint the name under which `api` lists it. */
function resourceOf(endpoint: Endpoint): ResourceName {
  return endpoint.resource as ResourceName
}
