/** State, validation and submission of the form of a new pipe. */
import { zodResolver } from '@hookform/resolvers/zod'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm, type FieldPath, type UseFormReturn } from 'react-hook-form'
import { formatError } from '#console/api/errors.ts'
import type { ApiFailure } from '#console/api/failure.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { toast } from '#console/shell/messages/toasts.tsx'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import { applyFieldErrors } from '#console/ui/form/applyFieldErrors.ts'
import { pipeCreateStrict } from '#contract/pipeInputs.ts'
import { scalingParametersOf } from '#contract/pipeScaling.ts'
import { pipes } from '#contract/pipes.ts'
import { settingsFor } from '../settings/settingsForm.ts'
import { pipeName } from '../model/pipeLabels.ts'
import { createBody, createSchema, formPath, leafPaths, fieldErrorOf } from './createBody.ts'
import { emptyForm, type PipeForm } from './pipeForm.ts'
import { requiredFields } from './sourceBody.ts'

/** @param serviceId the preselected service */
export function useCreatePipe(serviceId: string) {
  const connection = useConnection()
  const navigate = useNavigate()
  const [start] = useState(() => emptyForm(serviceId))
  const form = useForm<PipeForm>({ defaultValues: start, resolver: zodResolver(createSchema), mode: 'onTouched' })
  const [error, setError] = useState<ErrorText | null>(null)
  const create = useApiMutation(connection.id, pipes.create, {
    onSuccess: (pipe, { params }) => {
      toast({ tone: 'ok', text: `Data pipe ${pipeName(pipe)} created.` })
      return navigate({ to: paths.pipe(connection.id, params.serviceId, pipe.id), ignoreBlocker: true })
    },
    onError: (failure) => setError(showFailure(form, failure)),
  })
  const send = (values: PipeForm) => {
    setError(null)
    create.mutate({ params: { serviceId: values.serviceId }, body: pipeCreateStrict.parse(createBody(values)) })
  }
  return { form, send, error, clear: () => setError(null), pending: create.isPending, failure: create.error }
}

/**
 * Shows rejected fields in the form. Returns the error that remains to be shown above it.
 * @param placeOf maps a path of the body to a path of the form
 */
export function showFailure(
  form: UseFormReturn<PipeForm>,
  failure: ApiFailure,
  placeOf: (path: string) => string = formPath,
): ErrorText | null {
  const fieldErrors = failure.fields ?? []
  const messageError = fieldErrors.length === 0 && failure.code === 'invalid' ? fieldErrorOf(failure.message) : null
  const fields = [...fieldErrors, ...(messageError ? [messageError] : [])].map(({ path, message }) => ({
    path: placeOf(path),
    message,
  }))
  const unclaimed = applyFieldErrors(form, fields, shownFields(form.getValues()))
  return fields.length > 0 && unclaimed.length === 0 ? null : formatError(failure, location.pathname)
}

/** The fields that are visible: an error on another field would not be seen. */
function shownFields(form: PipeForm): FieldPath<PipeForm>[] {
  const { kind, source, destination } = form
  const requiredPaths = requiredFields(kind, source)
  const isHidden = (path: string) => /\.(credentials|accessKey)\./.test(path) && !requiredPaths.includes(path)
  const target = kind === 'postgres' ? { database: destination.database } : destination
  const places = [
    'name',
    ...leafPaths(source[kind], `source.${kind}`).filter((path) => !isHidden(path)),
    ...leafPaths(target, 'destination'),
    ...scalingParametersOf(kind).map((parameter) => `scaling.${parameter}`),
    ...settingsFor(kind).map(({ key }) => `settings.${key}`),
  ]
  return places as FieldPath<PipeForm>[] // made of the form's own keys
}
