import type { TokenUsage } from '@svc/contracts/orchestrator';

/** What a project used in a period. A model for reading; the SDK has no method that fetches it. */
export interface BillingUsage {
  readonly period: { readonly starts_at: string; readonly ends_at: string };
  readonly run_count: number;
  readonly token_usage: TokenUsage;
}

/** What a project may use. A model for reading; the SDK has no method that fetches it. */
export interface BillingPlan {
  readonly name: string;
  readonly status: 'active' | 'past_due' | 'cancelled';
  /** Limits by name, such as `runs_per_month`. */
  readonly limits: Readonly<Record<string, number>>;
}

/** What is known of a service that tools talk to. */
export interface ProviderMetadata {
  readonly provider: string;
  readonly auth_modes: readonly ('none' | 'api_key' | 'basic' | 'oauth2')[];
  readonly scopes: readonly string[];
  readonly capabilities: readonly string[];
}
