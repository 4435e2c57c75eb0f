//! Ordinary Kubernetes objects in files.
