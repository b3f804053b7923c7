import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { FormPage } from '#console/ui/form/FormPage.tsx'
import { Page } from '#console/ui/layout/Page.tsx'
import { LinkButton } from '../LinkButton.tsx'
import type { RecordCreate } from './useRecordCreate.ts'

interface NewPageProps {
  /** The name of one record inside a sentence: "alert". */
  noun: string
  lead: string
  /** The list, where Cancel leads. */
  list: string
  creating: Omit<RecordCreate<never>, 'create' | 'clear'>
  onSubmit: () => void
  dirty: boolean
  /** Why nothing can be created. */
  locked: string | undefined
  /** The content takes the whole width, for forms with something beside them. */
  wide?: boolean
  children: ReactNode
}

/** The form of a new record. */
export function NewPage({ noun, lead, list, creating, onSubmit, dirty, locked, wide, children }: NewPageProps) {
  const navigate = useNavigate()
  return (
    <Page title={`New ${noun}`} lead={lead}>
      <FormPage
        onSubmit={onSubmit}
        submitLabel={`Create ${noun}`}
        onCancel={() => void navigate({ to: list })}
        loading={creating.pending}
        submitError={creating.error}
        errorAction={creating.unknown && <LinkButton to={list}>Open the list</LinkButton>}
        dirty={dirty}
        changes={`1 new ${noun} · 1 request`}
        disabled={locked}
        wide={wide ?? false}
      >
        {children}
      </FormPage>
    </Page>
  )
}
