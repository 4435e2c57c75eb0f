//! HPA707 `flags-assumed`.

use crate::lint::{Needs, Severity};

crate::lint::declare_rule! {
    /// ## What it does
    /// Says which flags of kube-controller-manager had to be assumed. It is a note, no finding.
    ///
    /// ## Why is this bad?
    /// Windows and the tolerance come from flags that the API does not show. With other flags, the numbers in other
    /// findings are others.
    ///
    /// ## Fix
    /// Say what the flags are: `--assume-tolerance`, `--assume-downscale-stabilization` and their like.
    ///
    /// ## References
    /// - kubernetes: `pkg/controller/podautoscaler/config`
    pub(crate) static RULE = {
        code: "HPA707",
        name: "flags-assumed",
        summary: "flags of the controller are assumed",
        severity: Severity::Note,
        needs: Needs::Live,
    }
}
