import Box from '@mui/material/Box'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import type { Alert } from '#contract/alerts.ts'
import { fieldTitles, readForm, valueWords, type AlertField, type AlertForm } from './alertForm.ts'

interface ChangeListProps {
  changed: AlertField[]
  base: Alert
  form: UseFormReturn<AlertForm>
}

/** What would be sent, before it is: each field with its old and its new value. */
export function ChangeList({ changed, base, form }: ChangeListProps) {
  const values = useWatch({ control: form.control, compute: (all: AlertForm) => all })
  const before = readForm(base)
  if (changed.length === 0) return 'No changes'
  return (
    <Box component="details">
      <Box component="summary" sx={{ cursor: 'pointer' }}>
        {changed.length === 1 ? '1 change' : `${changed.length} changes`}:{' '}
        {changed.map((field) => fieldTitles[field].toLowerCase()).join(', ')} · 2 requests of your budget
      </Box>
      <Box component="ul" sx={{ m: 0, pl: 4, maxHeight: 200, overflow: 'auto' }}>
        {changed.map((field) => (
          <li key={field}>
            {fieldTitles[field]}: <del>{valueWords(field, before)}</del>{' '}
            <Box component="ins" sx={{ textDecoration: 'none', color: 'text.primary' }}>
              {valueWords(field, values)}
            </Box>
          </li>
        ))}
      </Box>
    </Box>
  )
}
