import Box from '@mui/material/Box'
import { Link } from '@tanstack/react-router'
import { useCrumbs } from '../navigation.ts'

/** Where the page lies, each step a link but the last. */
export function Breadcrumbs() {
  const crumbs = useCrumbs()
  return (
    <Box component="nav" aria-label="Breadcrumbs">
      <Box
        component="ol"
        sx={{ display: 'flex', gap: 1.5, m: 0, p: 0, listStyle: 'none', color: 'text.secondary', minWidth: 0 }}
      >
        {crumbs.map((crumb, at) => {
          const open = at === crumbs.length - 1
          return (
            <Box
              component="li"
              key={crumb.path}
              sx={{
                display: 'flex',
                gap: 1.5,
                minWidth: 0,
                flexShrink: open ? 1 : 0,
                whiteSpace: 'nowrap',
                overflow: 'hidden',
              }}
            >
              {at > 0 && <span aria-hidden>/</span>}
              {open ? (
                <Box
                  component="span"
                  aria-current="page"
                  sx={{ color: 'text.primary', fontWeight: 550, overflow: 'hidden', textOverflow: 'ellipsis' }}
                >
                  {crumb.title}
                </Box>
              ) : (
                <Box
                  component={Link}
                  to={crumb.path}
                  sx={{
                    color: 'inherit',
                    textDecoration: 'none',
                    overflow: 'hidden',
                    textOverflow: 'ellipsis',
                    '&:hover': { textDecoration: 'underline' },
                  }}
                >
                  {crumb.title}
                </Box>
              )}
            </Box>
          )
        })}
      </Box>
    </Box>
  )
}
