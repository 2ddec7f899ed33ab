/** The logo of Sanad. Inline, so that it needs no request. */
export const Logo = ({ size }: { size: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" style={{ display: 'block', flex: 'none' }} aria-hidden="true">
    <rect width="32" height="32" rx="7" fill="#0F5C63" />
    <path
      d="M9 17l5 5 9-11"
      fill="none"
      stroke="#FBFAF7"
      strokeWidth="3.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
)
