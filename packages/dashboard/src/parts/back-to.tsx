/** The way back from one thing to where it is listed. */
import { Anchor } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from 'wouter'

export const BackTo = ({ href, name }: { href: string; name: string }) => (
  <div>
    <Anchor
      component={Link}
      href={href}
      style={{ display: 'inline-flex', gap: 4, alignItems: 'center', minHeight: 32 }}
    >
      <span className="mirrored">
        <IconArrowLeft size={16} aria-hidden />
      </span>
      {name}
    </Anchor>
  </div>
)
