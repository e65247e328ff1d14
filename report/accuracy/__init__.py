"""How true the model is: what published runs measured, set beside what the model says of the same run."""
