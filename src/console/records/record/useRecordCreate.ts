/** Creating a record: a toast reports it, and its page opens. */
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ApiFailure } from '#console/api/failure.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import type { Endpoint, Input, Output } from '#contract/wire/kernel.ts'
import { titled } from '#domain/text/words.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { toast } from '#console/shell/messages/toasts.tsx'

interface Creating<T, I> {
  /** The name of one record inside a sentence: "data pipe". */
  noun: string
  nameOf: (record: T) => string
  pathOf: (record: T, input: I) => string
  /** Fields as they are called on the screen. */
  titles: Readonly<Record<string, string>>
  /** Puts refusals on the form's fields; returns what is left to say above them. */
  showFailure: (failure: ApiFailure) => ErrorText | null
}

export interface RecordCreate<I> {
  create: (input: I) => void
  pending: boolean
  error: ErrorText | null
  /** The response was lost: the record may have been created. */
  unknown: boolean
}

export function useRecordCreate<E extends Endpoint>(
  endpoint: E,
  { noun, nameOf, pathOf, titles, showFailure }: Creating<Output<E>, Input<E>>,
): RecordCreate<Input<E>> {
  const { id: connectionId } = useConnection()
  const navigate = useNavigate()
  const [error, setError] = useState<ErrorText | null>(null)
  const write = useApiMutation(connectionId, endpoint, {
    onSuccess: (record, input) => {
      toast({ tone: 'ok', text: `${titled(noun, nameOf(record))} created` })
      return navigate({ to: pathOf(record, input), ignoreBlocker: true })
    },
    onError: (failure) => setError(showFailure(failure)),
    titles,
  })
  return {
    create: (input) => {
      setError(null)
      write.mutate(input)
    },
    pending: write.isPending,
    error,
    unknown: write.error?.code === 'outcomeUnknown',
  }
}
