/** Where errors of the API belong on the form of a pipe. */
import type { FieldPath } from 'react-hook-form'
import type { ApiFailure } from '#console/api/failure.ts'
import { scalingParametersOf } from '#contract/cloud/pipes/pipeScaling.ts'
import { settingsFor } from '../settings/settingsForm.ts'
import { fieldErrorOf, formPath, leafPaths } from './createBody.ts'
import type { PipeForm } from './pipeForm.ts'
import { requiredFields } from './sourceBody.ts'

/**
 * The rejected fields.
 * @param placeOf maps a path of the body to a path of the form
 */
export function pipeRefusals(
  failure: ApiFailure,
  placeOf: (path: string) => string = formPath,
): { path: string; message: string }[] {
  const fieldErrors = failure.fields ?? []
  const messageError = fieldErrors.length === 0 && failure.code === 'invalid' ? fieldErrorOf(failure.message) : null
  const errors = messageError ? [messageError] : fieldErrors
  return errors.map(({ path, message }) => ({ path: placeOf(path), message }))
}

/** The fields that are visible: an error on another field would not be seen. */
export function shownFields(form: PipeForm): FieldPath<PipeForm>[] {
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
