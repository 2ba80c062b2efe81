/**
 * Texts of the sign-in pages in Unicode MessageFormat 2. `{$name}` is a value, `{#link}…{/link}` is an element that the
 * page provides, and `.match` selects a variant by a number. All languages have the same keys.
 */
export const english = {
  'frame.plain': '{#name}NudgeLab{/name} simulated sign-in',
  'frame.branded': '{#name}{$tenant}{/name} simulated by NudgeLab',
  'frame.footer': 'Sandbox {#name}{$sandbox}{/name}. Accounts, codes and passkeys here are test data.',
  'frame.frozen':
    'The virtual clock is frozen at {#instant}{$instant}{/instant}. Clients that check the real time reject its tokens. To resume it, run {#command}{$command}{/command}.',
  'frame.error': 'Error: {$heading}',

  'action.next': 'Next',
  'action.continue': 'Continue',
  'action.accept': 'Accept',
  'action.cancel': 'Cancel',
  'action.finish': 'Finish',
  'action.save': 'Save',
  'action.sign-in': 'Sign in',
  'action.sign-in-again': 'Sign in again',
  'action.other-method': 'Sign in another way',
  'action.fail': 'It did not work',
  'action.send-push': 'Send another notification',

  'name.heading': 'Sign in',
  'name.application': 'to continue to {#name}{$application}{/name}',
  'name.label': 'Username',
  'name.passkey': 'Sign in with a passkey',
  'name.missing': 'Enter a username.',
  'name.unknown': 'This username does not exist.',
  'name.passkey-rejected': 'The passkey could not be verified, or no user of this sandbox has it.',

  'password.heading': 'Enter your password',
  'password.label': 'Password',
  'password.passkey': 'Use a passkey instead',
  'password.missing': 'Enter the password.',
  'password.wrong': 'The password is incorrect.',
  'password.throttled': 'Too many failed attempts. Try again in 10 minutes on the virtual clock.',

  'code.heading': 'Enter the code',
  'code.lead.sms': 'We sent a text message with a code to your phone.',
  'code.lead.voice': 'We called your phone and read out a code.',
  'code.lead.authenticator-totp': 'Open the authenticator app and enter the code it shows.',
  'code.lead.hardware-totp': 'Enter the code shown on your hardware token.',
  'code.label': 'Code',
  'code.verify': 'Verify',
  'code.send': 'Send another code',
  'code.missing': 'Enter the code.',
  'code.wrong': 'The code is incorrect.',
  'code.throttled': 'Too many failed attempts. Try again in 10 minutes on the virtual clock.',

  'push.heading': 'Approve the sign-in',
  'push.lead': 'Open the authenticator app and enter this number to sign in.',
  'push.phone': 'You do not need a phone: {#link}open the simulated phone{/link} in a new window.',
  'push.waiting': 'The notification has not been approved yet. Approve it in the app, then continue.',
  'push.denied': 'The notification was denied. Send another one, or sign in another way.',

  'passkey.heading': 'Use your passkey',
  'passkey.lead': 'Your browser asks for your face, fingerprint, PIN or security key.',
  'passkey.use': 'Use passkey',
  'passkey.test-note': 'No authenticator available? Use a test passkey of this account instead.',
  'passkey.test': 'Use the test passkey',
  'passkey.rejected': 'The passkey could not be verified.',
  'passkey.unused': 'The passkey was not used. Try again, or choose another method.',

  'mfa-choice.heading': 'Verify your identity',
  'mfa-choice.legend': 'How do you want to verify your identity?',
  'mfa-choice.sms': 'Code by text message',
  'mfa-choice.voice': 'Code by voice call',
  'mfa-choice.authenticator-totp': 'Code from the authenticator app',
  'mfa-choice.authenticator-push': 'Notification in the authenticator app',
  'mfa-choice.hardware-totp': 'Code from a hardware token',
  'mfa-choice.passkey': 'A passkey',
  'mfa-choice.missing': 'Choose one of the methods in the list.',

  'external-mfa.heading': 'Verify with your external provider',
  'external-mfa.lead': 'Your second factor is verified by an external provider. This page simulates that provider.',

  'security-info.heading': 'Your security information is up to date',
  'security-info.lead':
    'Your organization requested another sign-in method, and you registered it during this sign-in.',

  'terms.heading': 'Terms of use',
  'terms.lead': 'Your administrator asks you to accept the terms of use before you continue.',

  'custom-controls.heading': 'Additional check required',
  'custom-controls.lead':
    'A policy set by your administrator sends you to another service before you continue. This page simulates that service.',

  'blocked.heading': 'You cannot register a method here',
  'blocked.lead':
    'A policy set by your administrator blocks the registration of sign-in methods. You can still sign in.',

  'method.vendorAuthenticator.heading': 'Set up the authenticator app',
  'method.vendorAuthenticator.why': 'Approving a notification on your phone is safer and faster than a text message.',
  'method.fido2.heading': 'Set up a passkey',
  'method.fido2.why': 'A passkey lets you sign in with your face, fingerprint or PIN. It cannot be phished.',

  'prompt.lead': '{$why} Your administrator asks you to set it up; it takes a minute.',
  'prompt.skip': 'Skip for now',
  'prompt.snoozes-left':
    '.input {$count :number} .match $count 0 {{You cannot skip this again.}} one {{You can skip this once more. After that, it is required.}} * {{You can skip this {$count} more times. After that, it is required.}}',

  'required.vendorAuthenticator': 'You cannot skip this anymore. Set up the authenticator app to sign in.',
  'required.fido2': 'You cannot skip this anymore. Set up a passkey to sign in.',

  'setup-app.install': 'Install the authenticator app on your phone.',
  'setup-app.scan': 'Scan this code in the app.',
  'setup-app.image': 'QR code that adds this account to the authenticator app',
  'setup-app.key': 'Cannot scan it? Enter this key: {#key}{$secret}{/key}',

  'setup-test.heading': 'Try the authenticator app',
  'setup-test.lead': 'We sent a notification to your app. Enter this number there to approve it.',
  'setup-test.waiting': 'The notification has not been approved yet. Approve it in the app, then finish.',
  'setup-test.denied': 'The notification was denied. Send another one, or choose “It did not work”.',

  'setup-passkey.lead': 'Your browser asks where to save the passkey: on this device, on a phone or on a security key.',
  'setup-passkey.create': 'Create passkey',
  'setup-passkey.test': 'Use the test authenticator',
  'setup-passkey.test-note': 'It creates a passkey of the selected type without a device.',
  'setup-passkey.type': 'Passkey type',
  'setup-passkey.type-unknown': 'Choose one of the types in the list.',
  'setup-passkey.device': 'Device',
  'setup-passkey.device-missing': 'Enter the id of a device.',

  'setup-name.heading': 'Name your passkey',
  'setup-name.lead': 'A name helps you tell your passkeys apart later.',
  'setup-name.label': 'Name',
  'setup-name.missing': 'Enter a name.',

  'error-screen.heading': 'Setup did not work',
  'error-screen.vendorAuthenticator':
    'We could not set up the authenticator app. Try again, or skip for now: this skip does not count.',
  'error-screen.fido2': 'We could not set up a passkey. Try again, or skip for now: this skip does not count.',
  'error-screen.retry': 'Try again',
  'error-screen.skip': 'Skip',

  'closed.heading': 'This prompt has expired',
  'closed.optional': 'The prompt was open for too long. You can continue without it.',
  'closed.required': 'The prompt was open for too long. Sign in again to set up the method.',

  'resolved.heading': 'Nothing left to set up',
  'resolved.vendorAuthenticator': 'You set up the authenticator app in another window.',
  'resolved.fido2': 'You set up a passkey in another window.',

  'signed-in.heading': 'You are signed in',
  'signed-in.close': 'You can close this page, or {#link}sign in again{/link}.',
  'signed-in.security-info': 'You can also manage {#link}your security information{/link}.',
  'signed-in.late': 'The prompt expired before you skipped it, so this skip does not count.',

  'consent.heading': 'Give {$application} access?',
  'consent.lead': '{#name}{$application}{/name} wants to:',
  'consent.scope.openid': 'Sign you in',
  'consent.scope.profile': 'See your name',
  'consent.scope.email': 'See your email address',
  'consent.scope.offline_access': 'Keep the access that you grant',
  'consent.scope.Policy.Read.All': 'Read the policies of your organization',
  'consent.scope.Policy.ReadWrite.AuthenticationMethod':
    'Change the authentication methods policy of your organization',

  'stay-signed-in.heading': 'Stay signed in?',
  'stay-signed-in.lead': 'You will need to sign in less often in this browser.',
  'stay-signed-in.yes': 'Yes',
  'stay-signed-in.no': 'No',

  'account-picker.heading': 'Pick an account',
  'account-picker.account': '{$displayName} ({$username})',
  'account-picker.other': 'Use another account',

  'sign-out.title': 'Sign out',
  'sign-out.heading': 'Do you want to sign out?',
  'sign-out.application': '{$application} requested to end your session.',
  'sign-out.any-application': 'An application requested to end your session.',
  'sign-out.everything': 'Sign out',
  'sign-out.only': 'Sign out of {$application} only',
  'sign-out.stay': 'Stay signed in',

  'signed-out.everything': 'You are signed out',
  'signed-out.nothing': 'You are still signed in',
  'signed-out.application': 'You are signed out of {$application}',
  'signed-out.elsewhere': 'You are still signed in to all other applications.',
  'signed-out.close': 'You can close this window.',

  'signing-out.heading': 'Signing you out',
  'signing-out.lead': 'Your applications are being notified.',

  'hand-over.heading': 'One moment',
  'hand-over.lead': 'You are returning to the application.',

  'device-code.heading': 'Sign in on a device',
  'device-code.lead': 'Enter the code that the device shows.',
  'device-code.label': 'Code',
  'device-code.missing': 'Enter the code.',
  'device-code.unknown': 'No device has this code. Check the code on the device.',
  'device-code.expired': 'The code has expired. Start again on the device.',
  'device-code.used': 'The code was already used. Start again on the device.',
  'device-code.throttled': 'Too many incorrect codes. Try again in 10 minutes on the virtual clock.',
  'device-code.declined': 'The sign-in was canceled. To try again, start again on the device.',
  'device-code.failed': 'The sign-in could not continue. Start again on the device.',
  'device-confirmation.heading': 'Is this your device?',
  'device-confirmation.lead': 'You are signing in to {$application}. Continue only if the device shows this code.',
  'device-done.heading': 'You are signed in on the device',
  'device-done.lead': 'You can close this page and continue in {$application} on the device.',

  'phone.heading': 'Phone of {$displayName}',
  'phone.notifications': 'Notifications',
  'phone.no-notification': 'No pending notifications.',
  'phone.messages': 'Messages',
  'phone.no-message': 'No messages.',
  'phone.message': 'Your code is {#code}{$code}{/code}.',
  'phone.app': 'Authenticator app',
  'phone.timed-code': 'One-time code: {#code}{$code}{/code}',
  'phone.reload': 'Reload',
  'phone.number': 'Number on the sign-in page',
  'phone.number-wrong': 'The number does not match the one on the sign-in page.',
  'phone.approve': 'Approve',
  'phone.deny': 'Deny',

  'security-info-list.heading': 'Your security information',
  'security-info-list.blocked': 'A policy set by your administrator blocks the registration of sign-in methods.',
  'security-info-list.methods': 'Methods',
  'security-info-list.no-method': 'You have no registered methods.',
  'security-info-list.passkeys': 'Passkeys',
  'security-info-list.no-passkey': 'You have no registered passkeys.',
  'security-info-list.passkey': '{$type}, {$device}',
  'security-info-list.passkey-derived': '{$type} (derived, low confidence), {$device}',
  'security-info-list.rename': 'Rename {$name}',
  'security-info-list.remove': 'Remove',
  'security-info-list.remove-named': 'Remove {$name}',
  'security-info-list.add-method': 'Add a method',
  'security-info-list.every-method': 'All available methods are already registered.',
  'security-info-list.method': 'Method',
  'security-info-list.add': 'Add',
  'security-info-list.add-passkey': 'Add a passkey',
  'security-info-list.add-test-passkey': 'Add test passkey',
  'security-info-list.phone': '{#link}Open the simulated phone{/link} of this account in a new window.',
  'security-info-list.method-unknown': 'Choose one of the methods in the list.',
  'security-info-list.passkey-rejected': 'The passkey could not be registered.',
  'security-info-list.passkey-not-allowed': 'The policy of your organization does not allow this type of passkey.',
  'security-info-list.passkey-type-unknown': 'Choose one of the types in the list.',
  'security-info-list.name-missing': 'Enter a name.',

  'registered.sms': 'Text message',
  'registered.voice': 'Voice call',
  'registered.authenticator-totp': 'Authenticator app, one-time codes',
  'registered.authenticator-push': 'Authenticator app, notifications',
  'registered.hardware-totp': 'Hardware token',

  'passkey-type.windows-hello-for-business': 'Windows Hello for Business',
  'passkey-type.windows-bound': 'Bound to this Windows device',
  'passkey-type.password-manager': 'Password manager',
  'passkey-type.keychain': 'Phone or Mac keychain',
  'passkey-type.mac-platform-sso': 'Mac platform single sign-on',
  'passkey-type.handset-vendor': 'Account of the phone manufacturer',
  'passkey-type.authenticator-app': 'Authenticator app',
  'passkey-type.security-key': 'Security key',

  'problem.restart': 'Start a new sign-in',
  'problem.start-page': 'Go to the start page',
  'problem.code': 'Error code: {#code}{$code}{/code}',
} as const satisfies Readonly<Record<string, string>>;

/** Key of a text of the sign-in pages. */
export type TextKey = keyof typeof english;
